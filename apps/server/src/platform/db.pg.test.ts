import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../test/pg.ts'
import { createDb } from './db.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

test('values arrive as numbers and text, never as Date', async () => {
  const { rows } = await sql`SELECT 9007199254740991::int8 AS big,
    timestamptz '2026-01-31 09:30:00.123456+01' AS at,
    timestamp '2026-01-31 09:30:00' AS wall,
    date '2026-02-01' AS day,
    12.30::numeric AS amount,
    ARRAY[1, NULL]::int8[] AS bigs,
    ARRAY[timestamptz '2026-01-31 08:00Z'] AS times,
    ARRAY[date '2026-02-01'] AS days`.execute(database.db)
  expect(rows).toEqual([
    {
      big: 9007199254740991,
      at: '2026-01-31T08:30:00.123456Z',
      wall: '2026-01-31T09:30:00',
      day: '2026-02-01',
      amount: '12.30',
      bigs: [1, null],
      times: ['2026-01-31T08:00:00Z'],
      days: ['2026-02-01'],
    },
  ])
})

test('a whole number that would lose digits is refused', async () => {
  await expect(sql`SELECT 9007199254740993::int8 AS big`.execute(database.db)).rejects.toThrow(RangeError)
})

test('requests are served by a role that owns nothing and cannot make tables', async () => {
  const { rows } = await sql<{ role: string }>`SELECT current_user AS role`.execute(database.db)
  expect(rows).toEqual([{ role: 'campanile_app' }])
  await expect(sql`CREATE TABLE mine (id int)`.execute(database.db)).rejects.toThrow('permission denied')
})

test('the extensions that lists and searches need can be made, and trigrams know Chinese', async () => {
  const client = new pg.Client(database.owner)
  await client.connect()
  try {
    await client.query('CREATE EXTENSION IF NOT EXISTS ltree')
    await client.query('CREATE EXTENSION IF NOT EXISTS pg_trgm')
    const { rows } = await client.query(
      `SELECT similarity('第一小学', '第一小学') AS same, cardinality(show_trgm('校园')) AS count`,
    )
    expect(rows).toEqual([{ same: 1, count: 3 }])
  } finally {
    await client.end()
  }
})

const dropConnections = async () => {
  const client = new pg.Client(database.owner)
  await client.connect()
  await client.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'campanile_app' AND datname = current_database()`,
  )
  await client.end()
}

const answers = () =>
  database.pool.query('SELECT 1').then(
    () => true,
    () => false,
  )

test('the pool survives a database that drops its idle connections', async () => {
  await database.pool.query('SELECT 1')
  await dropConnections()
  await expect.poll(answers).toBe(true)
})

test('the pool survives a database that drops a connection between two statements of a transaction', async () => {
  const work = database.db.transaction().execute(async (tx) => {
    await sql`SELECT 1`.execute(tx)
    await dropConnections()
    await sql`SELECT 2`.execute(tx)
  })
  await expect(work).rejects.toThrow()
  await expect.poll(answers).toBe(true)
})

test('a transaction that waits for something else is ended, and its connection is free for others', async () => {
  const { rows } = await sql<{
    limit: string
  }>`select current_setting('idle_in_transaction_session_timeout') as limit`.execute(database.db)
  expect(rows).toEqual([{ limit: '1min' }])
  const { db, close } = createDb({ ...database.app, max: 1, idle_in_transaction_session_timeout: 100 })
  const tx = await db.startTransaction().execute()
  await sql`select pg_advisory_xact_lock(8)`.execute(tx)
  // What it held is free although it still waits.
  await sql`select pg_advisory_xact_lock(8)`.execute(database.db)
  await expect(sql`select 1`.execute(tx)).rejects.toThrow()
  await tx
    .rollback()
    .execute()
    .catch(() => undefined)
  await expect(sql`select 1`.execute(db)).resolves.toBeTruthy()
  await close()
})
