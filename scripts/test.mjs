/** `npm test`: installs what tests need, then checks and tests everything. The last line is `N passed, N failed`. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findChromium, installChromium } from './chromium.mjs'
import { installProgram } from './debian.mjs'
import { buildStale, install, root } from './workspace.mjs'

/** One after the other; what stands together runs at once. */
const runs = [['unit'], ['pg', 'pg-alone'], ...(process.env.TEST_DATABASE_URL ? [['pg-external']] : []), ['e2e']]
const reports = mkdtempSync(join(tmpdir(), 'campanile-reports-'))
const total = { passed: 0, failed: 0, files: [] }
const slowestShown = 12

const attempt = async (command, args, { env = {}, stdio = 'inherit' } = {}) => {
  const running = spawn(command, args, { cwd: root, stdio, env: { ...process.env, ...env } })
  let said = ''
  for (const stream of [running.stdout, running.stderr])
    stream?.setEncoding('utf8').on('data', (text) => {
      said += text
    })
  const [status] = await once(running, 'close')
  return { ok: status === 0, said }
}

/** Types, lint and dead exports. What they say is shown when they are through, since tests run beside them. */
async function runCheck() {
  const { ok, said } = await attempt('npm', ['run', '--silent', 'check'], { stdio: ['ignore', 'pipe', 'pipe'] })
  total[ok ? 'passed' : 'failed'] += 1
  return said
}

/** A run that fails without a failed test (a file that does not load, say) counts as one. */
async function run(projects) {
  const report = join(reports, `${projects[0]}.json`)
  const chosen = projects.map((project) => `--project=${project}`)
  const told = ['--reporter=default', '--reporter=./scripts/test-report.mjs']
  const { ok } = await attempt(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...chosen, ...told], {
    env: { CHROMIUM: findChromium(), TEST_REPORT: report },
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
// The agent sends a picture of a real screen with a real window on it.
installProgram('a screen in memory (Xvfb)', ['Xvfb'], ['xvfb'])
installProgram('the small programs of X', ['xwd'], ['x11-apps'])
buildStale()
const checked = runCheck()
for (const projects of runs) await run(projects)
console.log(await checked)
rmSync(reports, { recursive: true })
console.log(`took longest: ${slowest()}`)
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed > 0 ? 1 : 0
