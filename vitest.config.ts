import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { byRoom } from './apps/console/byRoom.ts'

const unit = ['packages/*/src/**/*.test.ts', 'apps/*/src/**/*.test.ts', 'scripts/**/*.test.ts']
const ofConsole = ['apps/console/src/**/*.test.{ts,tsx}']
const pg = ['apps/*/src/**/*.pg.test.ts']
/** Files that put something of their own in the place of a module: they share their modules with no other file. */
const replacing = readdirSync('apps', { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.test\.tsx?$/.test(path) && !path.includes('node_modules'))
  .map((path) => join('apps', path))
  .filter((path) => readFileSync(path, 'utf8').includes('vi.mock('))
const onPg = (path: string) => path.endsWith('.pg.test.ts')
const pgReplacing = replacing.filter(onPg)
const consoleReplacing = replacing.filter((path) => path.startsWith(join('apps', 'console')) && !onPg(path))
const startTheirOwn = ['main', 'stopping', 'cli', 'demo/fleet', 'demo/simulated', 'platform/postgres/embedded'].map(
  (name) => `apps/server/src/${name}.pg.test.ts`,
)
const build = 'scripts/test-build.mjs'
/** What is waited for comes at once on a quiet machine and late on a busy one: a test that is wrong takes longer, no more. */
const patient = { expect: { poll: { timeout: 60_000 } } }
const onPostgres = {
  ...patient,
  globalSetup: [build, 'apps/server/src/test/global-setup.ts'],
  testTimeout: 300_000,
  hookTimeout: 300_000,
  // One more than there are cores: a test that waits for a process or a timer leaves its core to another.
  maxWorkers: 3,
}

/** The files that `npm test` says took longest are begun first, so that none of them runs alone at the end. */
const longest = [
  'secrets.pg',
  'src/main.pg',
  'crash.pg',
  'cli.pg',
  'faults.pg',
  'demo/fleet.pg',
  'killed.pg',
  'embedded.pg',
  'command.pg',
  'screens.e2e',
  'sign-in.e2e',
  'commands.e2e',
]
const rank = ({ project, moduleId }: TestSpecification) => {
  if (project.name === 'pg-alone') return -1
  const place = longest.findIndex((name) => moduleId.includes(name))
  return place < 0 ? longest.length : place
}
/**
 * A worker keeps the modules it has loaded only if the next file is of the same project and wants the same surroundings: files
 * that can share stand together. In a mixed order each file loads everything anew, which took longer than the tests.
 */
const sharing = ({ project, moduleId }: TestSpecification) =>
  project.name === 'pg' || project.name === 'pg-alone'
    ? ''
    : `${project.name} ${readFileSync(moduleId, 'utf8').includes('@vitest-environment')}`
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = (await super.sort(files)).map((file) => ({ file, shares: sharing(file), rank: rank(file) }))
    sorted.sort((a, b) => a.shares.localeCompare(b.shares) || a.rank - b.rank)
    return sorted.map(({ file }) => file)
  }
}

const pure = { globalSetup: [build], testTimeout: 120_000, hookTimeout: 120_000, maxWorkers: 2, ...patient }

/** Three kinds of test: pure rules, rules on a real PostgreSQL, and journeys in a real browser. */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: unit,
          exclude: [...pg, ...ofConsole, '**/node_modules/**'],
          isolate: false,
          ...pure,
        },
      },
      // Modules are loaded once for all files of a worker, not once for each: that took longer than the tests.
      {
        plugins: [byRoom()],
        test: {
          name: 'console',
          include: ofConsole,
          exclude: consoleReplacing,
          isolate: false,
          setupFiles: ['apps/console/src/test/leaveNothing.ts'],
          ...pure,
        },
      },
      { plugins: [byRoom()], test: { name: 'console-alone', include: consoleReplacing, ...pure } },
      { test: { name: 'pg', include: pg, exclude: pgReplacing, isolate: false, ...onPostgres } },
      { test: { name: 'pg-alone', include: pgReplacing, ...onPostgres } },
      // The same files once more on the PostgreSQL of the one who runs them.
      ...(process.env.TEST_DATABASE_URL
        ? [{ test: { name: 'pg-external', include: pg, exclude: startTheirOwn, ...onPostgres } }]
        : []),
      {
        test: {
          name: 'e2e',
          include: ['e2e/**/*.e2e.ts'],
          globalSetup: ['e2e/prepare.ts'],
          isolate: false,
          testTimeout: 600_000,
          hookTimeout: 300_000,
          maxWorkers: 2,
          ...patient,
        },
      },
    ],
  },
})
