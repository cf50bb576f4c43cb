import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { nextName } from './table.ts'

const migrations = new URL('../apps/server/migrations/', import.meta.url)
const table = (...words: string[]) =>
  spawnSync(process.execPath, ['--import', 'tsx', 'scripts/table.ts', ...words], {
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

test('what a resource refers to is known, so that its table can be written', () => {
  const { stdout, stderr } = table('doorRecord', '--print', '--records', 'month:time')
  expect(stderr).toBe('')
  expect(stdout).toMatch(/^ {2}device_id bigint references device on delete set null,$/m)
  expect(stdout).toMatch(/^ {2}department_id bigint .*references department on delete/m)
  expect(stdout).toContain("select keep_records('door_record', 'time', 'month');")
})
