/** `npm test`: installs what tests need, then checks and tests everything. The last line is `N passed, N failed`. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findChromium, installChromium } from './chromium.mjs'
import { installProgram } from './debian.mjs'
import { buildStale, install, root } from './workspace.mjs'

/**
 * Two lines that run at the same time, each one run after the other: tests on PostgreSQL wait much for processes and timers,
 * and journeys and pure rules use the cores meanwhile.
 */
const lines = [
  [['pg', 'pg-alone'], ...(process.env.TEST_DATABASE_URL ? [['pg-external']] : [])],
  [['unit', 'console', 'console-alone'], ['e2e']],
]
const reports = mkdtempSync(join(tmpdir(), 'campanile-reports-'))
const total = { passed: 0, failed: 0, files: [] }
const slowestShown = 12

/** Several run at once, so none of them draws on the terminal itself: what they say comes out as they say it. */
const succeeds = async (command, args, env = {}) => {
  const stdio = ['ignore', 'pipe', 'pipe']
  const running = spawn(command, args, { cwd: root, stdio, env: { ...process.env, ...env } })
  running.stdout.pipe(process.stdout, { end: false })
  running.stderr.pipe(process.stderr, { end: false })
  const [status] = await once(running, 'close')
  return status === 0
}

/** Types, lint and dead exports. */
async function runCheck() {
  const ok = await succeeds('npm', ['run', '--silent', 'check'])
  total[ok ? 'passed' : 'failed'] += 1
}

/** A run that fails without a failed test (a file that does not load, say) counts as one. */
async function run(projects) {
  const report = join(reports, `${projects[0]}.json`)
  const chosen = projects.map((project) => `--project=${project}`)
  const told = ['--reporter=default', '--reporter=./scripts/test-report.mjs']
  const ok = await succeeds(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...chosen, ...told], {
    CHROMIUM: findChromium(),
    TEST_REPORT: report,
  })
  const { passed, failed, files } = readReport(report)
  total.passed += passed
  total.failed += ok ? failed : Math.max(failed, 1)
  total.files.push(...files)
}

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return { passed: 0, failed: 0, files: [] }
  }
}

const slowest = () =>
  total.files
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, slowestShown)
    .map(({ path, seconds }) => `${path} ${Math.round(seconds)} s`)
    .join(', ')

install()
installChromium()
// Devices are any standard MQTT client, and strangers' in Python and Perl.
installProgram('the MQTT clients of Mosquitto', ['mosquitto_pub'], ['mosquitto-clients'])
installProgram('Python', ['python3'], ['python3'])
installProgram('Perl', ['prove'], ['perl'])
installProgram('OpenSSL', ['openssl'], ['openssl'])
// Large files may lie in a store that speaks S3; this is one that others run.
installProgram(
  'a store that speaks S3 (OpenStack Swift)',
  ['swift-proxy-server'],
  ['swift-proxy', 'swift-account', 'swift-container', 'swift-object'],
)
// The agent sends a picture of a real screen with a real window on it.
installProgram('a screen in memory (Xvfb)', ['Xvfb'], ['xvfb'])
installProgram('the small programs of X', ['xwd'], ['x11-apps'])
buildStale()
const runLine = async (runs) => {
  for (const projects of runs) await run(projects)
}
await Promise.all([...lines.map(runLine), runCheck()])
rmSync(reports, { recursive: true })
console.log(`took longest: ${slowest()}`)
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed > 0 ? 1 : 0
