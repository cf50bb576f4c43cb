import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const build = join(import.meta.dirname, 'build.mjs')

/**
 * Before tests that start whole programs: they start what is built, which starts three times as fast as its sources and is
 * what customers run; and it must be what is written.
 */
export default async function buildForTests() {
  await promisify(execFile)(process.execPath, [build, 'server', 'agent', 'simulator'])
}
