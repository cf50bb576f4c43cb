import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { root } from './workspace.mjs'

/** What `npm test` wants to know of one project: written as JSON to the file that TEST_REPORT names. */
export default class TestReport {
  onTestRunEnd(modules, unhandled) {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const count = (state) => tests.filter((test) => test.result().state === state).length
    const files = modules.map((module) => ({
      path: relative(root, module.moduleId),
      seconds: secondsOf(module.diagnostic()),
    }))
    const report = { passed: count('passed'), failed: count('failed') + unhandled.length, files }
    writeFileSync(process.env.TEST_REPORT, JSON.stringify(report))
  }
}

/** All that the file kept a worker busy with: what it imports and its set-up as well as its tests. */
const secondsOf = ({ environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration }) =>
  (environmentSetupDuration + prepareDuration + collectDuration + setupDuration + duration) / 1000
