import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../test/pg.ts'
import { temporaryFolder } from '../test/temporary-folder.ts'
import { migrate } from './migrate.ts'

let database: TestDatabase
let client: pg.Client
beforeEach(async () => {
  database = await testDatabase()
  client = new pg.Client(database.owner)
  await client.connect()
  // The product's own schema is another history; these tests tell their own.
  await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
})
afterEach(async () => {
  await client.end()
  await database.drop()
})

const folderOf = async (files: Record<string, string>): Promise<string> => {
  const folder = join(await temporaryFolder(), 'migrations')
  await mkdir(folder)
  for (const [name, sql] of Object.entries(files)) await writeFile(join(folder, name), sql)
  return folder
}

const tables = async (): Promise<string[]> =>
  (
    await client.query(
      `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY 1`,
    )
  ).rows.map((row) => row.relname)

const one = { '0001_one.sql': 'CREATE TABLE one (id int)' }

test('files run once, in order, and later starts run only what is new', async () => {
  const folder = await folderOf({
    ...one,
    '0002_two.sql': 'ALTER TABLE one ADD name text; CREATE TABLE two (id int)',
    'README.md': 'x',
  })
  expect(await migrate(database.owner, folder)).toEqual({ applied: ['0001_one.sql', '0002_two.sql'] })
  expect(await migrate(database.owner, folder)).toEqual({ applied: [] })
  await writeFile(join(folder, '0003_three.sql'), 'CREATE TABLE three (id int)')
  expect(await migrate(database.owner, folder)).toEqual({ applied: ['0003_three.sql'] })
  expect(await tables()).toEqual(['one', 'schema_migration', 'three', 'two'])
})

test('a file that fails leaves nothing of itself, keeps those before it, and can be corrected', async () => {
  const folder = await folderOf({ ...one, '0002_two.sql': 'CREATE TABLE two (id int);\nSELECT nonsense' })
  await expect(migrate(database.owner, folder)).rejects.toThrow(
    'The migration 0002_two.sql failed and was undone: column "nonsense" does not exist at line 2',
  )
  expect(await tables()).toEqual(['one', 'schema_migration'])
  await writeFile(join(folder, '0002_two.sql'), 'CREATE TABLE two (id int)')
  expect(await migrate(database.owner, folder)).toEqual({ applied: ['0002_two.sql'] })
})

test('kill -9 in the middle of a file leaves nothing of it, and the next start goes on', async () => {
  const folder = await folderOf({ ...one, '0002_two.sql': 'CREATE TABLE two (id int); SELECT pg_sleep(60)' })
  const script = `import('${join(import.meta.dirname, 'migrate.ts')}').then((m) => m.migrate(${JSON.stringify(database.owner)}, '${folder}'))`
  const child = spawn(process.execPath, ['--import', 'tsx', '-e', script], { stdio: 'inherit' })
  const sleeping = `SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`
  await expect.poll(async () => (await client.query(sleeping)).rows[0].count, { timeout: 20_000 }).toBe(1)
  child.kill('SIGKILL')
  await once(child, 'exit')
  await writeFile(join(folder, '0002_two.sql'), 'CREATE TABLE two (name text)')
  expect(await migrate(database.owner, folder)).toEqual({ applied: ['0002_two.sql'] })
  expect(await tables()).toEqual(['one', 'schema_migration', 'two'])
})

test('several servers that start at once migrate once', async () => {
  const folder = await folderOf({ ...one, '0002_two.sql': 'CREATE TABLE two (id int); SELECT pg_sleep(0.2)' })
  const results = await Promise.all(Array.from({ length: 4 }, () => migrate(database.owner, folder)))
  expect(results.flatMap((result) => result.applied).sort()).toEqual(['0001_one.sql', '0002_two.sql'])
})

test('a file changed after it ran stops the start', async () => {
  const folder = await folderOf(one)
  await migrate(database.owner, folder)
  await writeFile(join(folder, '0001_one.sql'), 'CREATE TABLE one (id bigint)')
  await expect(migrate(database.owner, folder)).rejects.toThrow('The migration 0001_one.sql was changed after it ran')
})

test('a database of a newer Campanile stops the start', async () => {
  await migrate(database.owner, await folderOf({ ...one, '0002_two.sql': 'CREATE TABLE two (id int)' }))
  await expect(migrate(database.owner, await folderOf(one))).rejects.toThrow(
    'The database has the migration 0002_two.sql, which this Campanile does not know',
  )
})

test('a file numbered before one that ran stops the start', async () => {
  const folder = await folderOf({ '0002_two.sql': 'CREATE TABLE two (id int)' })
  await migrate(database.owner, folder)
  await writeFile(join(folder, '0001_one.sql'), 'CREATE TABLE one (id int)')
  await expect(migrate(database.owner, folder)).rejects.toThrow('The migration 0001_one.sql comes before 0002_two.sql')
  expect(await tables()).toEqual(['schema_migration', 'two'])
})

test.each([
  [{ 'first.sql': '' }, 'is not named like a migration'],
  [{ '0001_a.sql': '', '0001_b.sql': '' }, '0001_a.sql and 0001_b.sql have the same time'],
])('wrong names are refused: %o', async (files, sentence) => {
  await expect(migrate(database.owner, await folderOf(files))).rejects.toThrow(sentence)
})

test('a file that ends its own transaction is refused', async () => {
  const folder = await folderOf({ '0001_one.sql': 'CREATE TABLE one (id int); COMMIT; BEGIN' })
  await expect(migrate(database.owner, folder)).rejects.toThrow('ends its transaction itself')
})

describe('a file that must run outside a transaction', () => {
  const marker = '-- outside a transaction\n'

  test('may make an index while others write, which no transaction may', async () => {
    const sql = 'CREATE INDEX CONCURRENTLY one_id ON one (id);\nCREATE INDEX CONCURRENTLY one_more ON one (id)'
    await expect(migrate(database.owner, await folderOf({ ...one, '0002_two.sql': sql }))).rejects.toThrow(
      'cannot run inside a transaction block',
    )
    expect(await migrate(database.owner, await folderOf({ ...one, '0002_two.sql': marker + sql }))).toEqual({
      applied: ['0002_two.sql'],
    })
    const { rows } = await client.query(`select indexrelid::regclass::text as name from pg_index where indisvalid
      and indrelid = 'one'::regclass order by 1`)
    expect(rows).toEqual([{ name: 'one_id' }, { name: 'one_more' }])
  })

  test('is begun anew from its first statement when it failed on the way', async () => {
    const file = (second: string) => `${marker}CREATE TABLE IF NOT EXISTS two (id int);\n${second};\n`
    const folder = await folderOf({ ...one, '0002_two.sql': file('SELECT nonsense') })
    await expect(migrate(database.owner, folder)).rejects.toThrow(
      'The migration 0002_two.sql failed: column "nonsense" does not exist',
    )
    expect(await tables()).toEqual(['one', 'schema_migration', 'two'])
    await writeFile(join(folder, '0002_two.sql'), file('ALTER TABLE two ADD IF NOT EXISTS name text'))
    expect(await migrate(database.owner, folder)).toEqual({ applied: ['0002_two.sql'] })
    expect(await migrate(database.owner, folder)).toEqual({ applied: [] })
  })
})
