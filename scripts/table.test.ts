import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'

const migrations = new URL('../apps/server/migrations/', import.meta.url)
const table = (name: string) =>
  spawnSync(process.execPath, ['--import', 'tsx', 'scripts/table.ts', name], {
    cwd: new URL('..', import.meta.url),
    encoding: 'utf8',
  })

test.each([
  ['announcement', /^0001_foundation\.sql makes the table announcement already/],
  ['anouncement', /^There is no resource called anouncement.*npm run test:unit -- resources -u/],
])('the table of %s is not written, and what to do is said', (name, said) => {
  const before = readdirSync(migrations)
  const { status, stderr } = table(name)
  expect(status).toBe(1)
  expect(stderr).toMatch(said)
  expect(readdirSync(migrations)).toEqual(before)
})
