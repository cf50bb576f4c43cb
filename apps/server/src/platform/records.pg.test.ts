import { copyFile, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addDepartment } from '../test/app.ts'
import { addDevice } from '../test/devices.ts'
import { type TestDatabase, testDatabase } from '../test/pg.ts'
import { temporaryFolder } from '../test/temporary-folder.ts'
import { migrate } from './migrate.ts'
import { type RecordsSpec, type Span, tidyRecords } from './records.ts'

const migrations = fileURLToPath(new URL('../../migrations', import.meta.url))
let database: TestDatabase
let owner: pg.Client
beforeAll(async () => {
  database = await testDatabase()
  owner = new pg.Client(database.owner)
  await owner.connect()
})
beforeEach(async () => {
  await owner.query(`drop table if exists passage; delete from record_table where name = 'passage';
    create table passage (id bigserial, door text not null, time timestamptz not null,
      primary key (id, time)) partition by range (time);
    select keep_records('passage', 'time', 'day')`)
})
afterAll(async () => {
  await owner.end()
  await database.drop()
})

const at = (text: string) => new Date(`${text}Z`)
const pass = (...times: string[]) =>
  sql`insert into passage (door, time) select 'gate', t from unnest(${times.map((t) => at(t).toISOString())}::timestamptz[]) t`.execute(
    database.db,
  )
const tidy = (now: string, spec: Partial<RecordsSpec> = {}) =>
  tidyRecords(database.db, { table: 'passage', keepDays: () => 30, ...spec }, at(now))
const spans = async () =>
  (await sql<{ name: string }>`select name from record_spans('passage')`.execute(database.db)).rows.map((r) => r.name)
const rows = async () => (await sql<{ n: number }>`select count(*) as n from passage`.execute(database.db)).rows[0]?.n

test('a part is there before the first row of its time comes', async () => {
  await tidy('2026-03-01T23:59:59')
  expect(await spans()).toEqual(['passage_20260301', 'passage_20260302'])
  await tidy('2026-03-01T23:59:59')
  expect(await spans()).toHaveLength(2)
})

test('rows that came before their part are put into it, wherever in time they are', async () => {
  await pass('2026-02-10T08:00:00', '2026-02-10T09:00:00', '2026-03-01T08:00:00')
  await tidy('2026-03-01T12:00:00')
  expect(await spans()).toEqual(['passage_20260210', 'passage_20260301', 'passage_20260302'])
  expect((await sql`select from passage_default`.execute(database.db)).rows).toHaveLength(0)
  expect((await sql`select from passage_20260210`.execute(database.db)).rows).toHaveLength(2)
  expect(await rows()).toBe(3)
})

test('what is older than it is kept goes as a whole, and not a row of what is not', async () => {
  await pass('2026-01-29T23:59:59', '2026-01-30T00:00:00', '2026-03-01T08:00:00')
  // The newest row of 29 January is thirty days old, that of 30 January is not.
  await tidy('2026-03-01T00:00:00')
  expect(await spans()).toEqual(['passage_20260130', 'passage_20260301', 'passage_20260302'])
  expect(await rows()).toBe(2)
})

test('the sums of a span are written once it is over, and it is never dropped without them', async () => {
  const summed: string[] = []
  let broken = true
  const rollUp = async (_db: unknown, { name }: Span) => {
    if (broken) throw new Error('not now')
    summed.push(name)
  }
  await pass('2026-03-01T08:00:00')
  await tidy('2026-03-01T12:00:00', { rollUp, keepDays: () => 0 })
  await expect(tidy('2026-03-05T00:00:00', { rollUp, keepDays: () => 0 })).rejects.toThrow('not now')
  expect(await rows()).toBe(1)
  broken = false
  await tidy('2026-03-05T00:00:00', { rollUp, keepDays: () => 10 })
  await tidy('2026-03-05T00:00:00', { rollUp, keepDays: () => 10 })
  expect(summed).toEqual(['passage_20260301', 'passage_20260302'])
  expect(await rows()).toBe(1)
  await tidy('2026-03-05T00:00:00', { rollUp, keepDays: () => 0 })
  expect(summed).toHaveLength(2)
  expect(await rows()).toBe(0)
})

test('two servers that tidy at once get along', async () => {
  await pass('2026-03-01T08:00:00')
  await Promise.all(Array.from({ length: 4 }, () => tidy('2026-03-01T12:00:00')))
  expect(await spans()).toEqual(['passage_20260301', 'passage_20260302'])
})

test('the role that serves requests drops no table by these that is no part of such records', async () => {
  const drop = (kept: string, part: string) => database.pool.query('select record_drop($1, $2)', [kept, part])
  await expect(drop('passage', 'sys_user')).rejects.toThrow('no part of the records')
  await expect(drop('telemetry_hour', 'passage_default')).rejects.toThrow('no part of the records')
  await expect(drop('op_log', 'op_log')).rejects.toThrow('no part of the records')
  await expect(database.pool.query(`insert into record_table values ('op_log', 'create_time', 'day')`)).rejects.toThrow(
    'permission denied',
  )
})

test('presence of an installation from before is the first part of its records, and goes as a whole', async () => {
  const old = await testDatabase()
  const client = new pg.Client(old.owner)
  await client.connect()
  await client.query('drop schema public cascade; create schema public; grant usage on schema public to campanile_app')
  const before = join(await temporaryFolder(), 'migrations')
  await mkdir(before)
  for (const name of (await readdir(migrations)).filter((each) => each.endsWith('.sql') && each < '202611152032'))
    await copyFile(join(migrations, name), join(before, name))
  await migrate(old.owner, before)
  const departmentId = await addDepartment(old.db, { name: 'Platform' })
  const { id } = await addDevice(old.db, { sn: 'OLD-1', departmentId })
  await sql`insert into presence_log (device_id, time, online) values (${id}, '2026-01-10', true),
    (${id}, '2026-03-10', false)`.execute(old.db)
  await migrate(old.owner, migrations)
  const presence = async () =>
    (await sql<{ n: number }>`select count(*) as n from presence_log where device_id = ${id}`.execute(old.db)).rows[0]
      ?.n
  const spec = { table: 'presence_log', keepDays: () => 100 }
  await tidyRecords(old.db, spec, at('2026-06-01T00:00:00'))
  await sql`insert into presence_log (device_id, time, online) values (${id}, '2026-06-02', true)`.execute(old.db)
  expect(await presence()).toBe(3)
  await tidyRecords(old.db, spec, at('2026-07-10T00:00:00'))
  expect(await presence()).toBe(1)
  await client.end()
  await old.drop()
})
