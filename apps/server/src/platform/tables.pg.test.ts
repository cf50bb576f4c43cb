import { Kysely, PostgresDialect } from 'kysely'
import { generate, PostgresDialect as Postgres } from 'kysely-codegen'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../test/pg.ts'

let database: TestDatabase
let db: Kysely<unknown>
beforeAll(async () => {
  database = await testDatabase()
  const pool = new pg.Pool(database.owner)
  // A connection that is still saying goodbye when the database is dropped is told so.
  pool.on('connect', (client) => client.on('error', () => undefined))
  db = new Kysely({ dialect: new PostgresDialect({ pool }) })
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

/** What db.ts makes of a column; the rest is as pg delivers it. */
const typeMapping = {
  int8: 'number',
  timestamptz: 'string',
  timestamp: 'string',
  date: 'string',
  numeric: 'string',
  ltree: 'string',
}

test('tables.generated.ts says what the migrated schema says; write it anew with `npm run test:pg -- tables -u`', async () => {
  const text = await generate({
    db,
    dialect: new Postgres(),
    excludePattern: 'public.schema_migration',
    typeMapping,
    outFile: null,
  })
  await expect(text).toMatchFileSnapshot('./tables.generated.ts')
})
