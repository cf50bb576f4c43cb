/** `npm test`: installs what tests need, then checks and tests everything. The last line is `N passed, N failed`. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findChromium, installChromium } from './chromium.mjs'
import { installProgram } from './debian.mjs'
import { buildStale, install, root } from './workspace.mjs'

const projects = ['unit', 'pg', ...(process.env.TEST_DATABASE_URL ? ['pg-external'] : []), 'e2e']
const reports = mkdtempSync(join(tmpdir(), 'campanile-reports-'))
const total = { passed: 0, failed: 0 }

const attempt = (command, args) =>
  spawnSync(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, CHROMIUM: findChromium() } })
    .status === 0

/** A run that fails without a failed test (a file that does not load, say) counts as one. */
function runProject(project) {
  const report = join(reports, `${project}.json`)
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', project]
  const ok = attempt(process.execPath, [
    ...vitest,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ])
  const { passed, failed } = readReport(report)
  total.passed += passed
  total.failed += ok ? failed : Math.max(failed, 1)
}

function readReport(path) {
  try {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(path, 'utf8'))
    return { passed: numPassedTests, failed: numFailedTests }
  } catch {
    return { passed: 0, failed: 0 }
  }
}

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
if (attempt('npm', ['run', '--silent', 'check'])) total.passed += 1
else total.failed += 1
for (const project of projects) runProject(project)
rmSync(reports, { recursive: true })
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed > 0 ? 1 : 0
