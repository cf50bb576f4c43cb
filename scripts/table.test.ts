import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { nextName } from './table.ts'

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

test.each([
  ['0017_strangers.sql', '202611152112_locker.sql'],
  ['202611151800_outbox.sql', '202611152112_locker.sql'],
  ['202611152112_other.sql', '202611152113_locker.sql'],
  ['202612312359_other.sql', '202701010000_locker.sql'],
])('a new file is named by the present minute, and always after %s', (newest, name) => {
  expect(nextName(['0001_foundation.sql', newest], 'locker', new Date('2026-11-15T21:12:34Z'))).toBe(name)
})
