import { defineConfig } from 'vitest/config'

const unit = ['packages/*/src/**/*.test.{ts,tsx}', 'apps/*/src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts']
const pg = ['apps/*/src/**/*.pg.test.ts']
const startTheirOwn = ['main', 'stopping', 'cli', 'demo/fleet', 'demo/simulated', 'platform/postgres/embedded'].map(
  (name) => `apps/server/src/${name}.pg.test.ts`,
)
const onPostgres = {
  include: pg,
  globalSetup: ['apps/server/src/test/global-setup.ts'],
  testTimeout: 120_000,
  hookTimeout: 180_000,
  maxWorkers: 2,
}

/** Three kinds of test: pure rules, rules on a real PostgreSQL, and journeys in a real browser. */
export default defineConfig({
  test: {
    projects: [
      { test: { name: 'unit', include: unit, exclude: [...pg, '**/node_modules/**'], testTimeout: 30_000 } },
      { test: { name: 'pg', ...onPostgres } },
      // The same files once more on the PostgreSQL of the one who runs them.
      ...(process.env.TEST_DATABASE_URL
        ? [{ test: { name: 'pg-external', ...onPostgres, exclude: startTheirOwn } }]
        : []),
      {
        test: {
          name: 'e2e',
          include: ['e2e/**/*.e2e.ts'],
          globalSetup: ['e2e/prepare.ts'],
          testTimeout: 120_000,
          hookTimeout: 180_000,
          maxWorkers: 1,
        },
      },
    ],
  },
})
