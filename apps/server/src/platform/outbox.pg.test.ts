import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { addDepartment, addUser } from '../test/app.ts'
import { type TestDatabase, testDatabase } from '../test/pg.ts'
import type { Db } from './db.ts'
import { createNotify, liveChannel } from './notify.ts'
import { removeHeard } from './outbox.store.ts'
import { createOutbox, type Event, type Outbox } from './outbox.ts'
import { createSignals, type Signals } from './signals.ts'
import { defineTopic } from './topic.ts'

const counted = z.object({ n: z.number() })
type Counted = Event<z.output<typeof counted>>
const changed = defineTopic('thing.changed', counted)
const log = pino({ level: 'silent' })
let database: TestDatabase
let signals: Signals
const started: Outbox[] = []

beforeAll(async () => {
  database = await testDatabase()
  signals = createSignals({ pool: database.pool, log })
  await signals.start()
})
beforeEach(async () => {
  await Promise.all(started.splice(0).map((outbox) => outbox.stop()))
  await sql`delete from outbox_follower`.execute(database.db)
})
afterAll(async () => {
  await Promise.all(started.map((outbox) => outbox.stop()))
  await signals.stop()
  await database.drop()
})

const asOwner = async (text: string) => {
  const client = new pg.Client(database.owner)
  await client.connect()
  await client.query(text).finally(() => client.end())
}
const outboxOf = () => {
  const outbox = createOutbox({ db: database.db, signals, log, pollMs: 50, retryMs: 20 })
  started.push(outbox)
  return outbox
}
const emit = (outbox: Outbox, key: string, n: number, topic = changed) =>
  database.db.transaction().execute((tx) => outbox.emit(tx as Db, topic, [{ key, data: { n } }]))
const numbersOf = (heard: readonly Counted[], key: string) =>
  heard.filter((event) => event.key === key).map(({ data }) => data.n)

test('what is told in a transaction is heard after it, and never when it was taken back', async () => {
  const outbox = outboxOf()
  const heard: Counted[] = []
  outbox.follow('ears', changed, async (_tx, events) => void heard.push(...events))
  await outbox.start()
  const taken = database.db.transaction().execute(async (tx) => {
    await outbox.emit(tx as Db, changed, [{ key: 'a', data: { n: 1 } }])
    throw new Error('taken back')
  })
  await expect(taken).rejects.toThrow('taken back')
  await emit(outbox, 'a', 2)
  await emit(outbox, 'a', 3, defineTopic('thing.removed', counted))
  await expect.poll(() => numbersOf(heard, 'a')).toEqual([2])
})

test('whatever concerns one thing is heard in the order in which it happened, however many write at once', async () => {
  const outbox = outboxOf()
  const heard: Counted[] = []
  outbox.follow('ears', changed, async (_tx, events) => void heard.push(...events))
  await outbox.start()
  const keys = ['a', 'b', 'c', 'd']
  await asOwner('create table counter (key text primary key, n int not null)')
  await sql`insert into counter select key, 0 from unnest(${keys}::text[]) key`.execute(database.db)
  // Each takes its thing's lock first, as a room that changes a row does.
  const change = (key: string) =>
    database.db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ n: number }>`update counter set n = n + 1 where key = ${key} returning n`.execute(tx)
      await sql`select pg_sleep(random() * 0.01)`.execute(tx)
      await outbox.emit(tx as Db, changed, [{ key, data: { n: rows[0]?.n ?? 0 } }])
    })
  await Promise.all(Array.from({ length: 200 }, (_, at) => change(keys[at % keys.length] as string)))
  const inOrder = Array.from({ length: 50 }, (_, at) => at + 1)
  for (const key of keys) await expect.poll(() => numbersOf(heard, key)).toEqual(inOrder)
})

test('an event that cannot be taken holds up its own thing only, and is told again until it can', async () => {
  const outbox = outboxOf()
  const heard: Counted[] = []
  let broken = true
  outbox.follow('ears', changed, async (_tx, events) => {
    if (broken && events.some(({ key }) => key === 'bad')) throw new Error('not now')
    heard.push(...events)
  })
  await outbox.start()
  await emit(outbox, 'bad', 1)
  await emit(outbox, 'good', 1)
  await emit(outbox, 'bad', 2)
  await emit(outbox, 'good', 2)
  await expect.poll(() => numbersOf(heard, 'good')).toEqual([1, 2])
  expect(numbersOf(heard, 'bad')).toEqual([])
  broken = false
  await expect.poll(() => numbersOf(heard, 'bad')).toEqual([1, 2])
  // Heard within a transaction that may still be on its way to the disk.
  await expect.poll(async () => (await sql`select 1 from outbox_waiting`.execute(database.db)).rows).toEqual([])
})

test('what a follower writes and that it has heard it are kept together', async () => {
  const outbox = outboxOf()
  await asOwner('create table note (turn bigint)')
  let fails = 2
  outbox.follow('scribe', changed, async (tx, events) => {
    for (const { turn } of events) await sql`insert into note values (${turn})`.execute(tx)
    fails -= 1
    if (fails >= 0) throw new Error('after writing')
  })
  await outbox.start()
  await emit(outbox, 'a', 1)
  await emit(outbox, 'b', 1)
  const written = () =>
    sql<{ n: number; different: number }>`select count(*)::int as n, count(distinct turn)::int as different from note`
      .execute(database.db)
      .then(({ rows }) => rows[0])
  await expect.poll(written).toEqual({ n: 2, different: 2 })
})

test('a follower goes on where it stopped, and two servers hear each event once', async () => {
  const first = outboxOf()
  const heard: Counted[] = []
  const hear = async (_tx: Db, events: readonly Counted[]) => void heard.push(...events)
  first.follow('ears', changed, hear)
  await first.start()
  await emit(first, 'a', 1)
  await expect.poll(() => numbersOf(heard, 'a')).toEqual([1])
  await first.stop()
  await emit(first, 'a', 2)
  const second = outboxOf()
  const third = outboxOf()
  for (const outbox of [second, third]) {
    outbox.follow('ears', changed, hear)
    await outbox.start()
  }
  for (let n = 3; n < 40; n += 1) await emit(second, 'a', n)
  const all = Array.from({ length: 39 }, (_, at) => at + 1)
  await expect.poll(() => numbersOf(heard, 'a')).toEqual(all)
})

test('news are told once although the process was killed after commit, in the middle of telling', async () => {
  const departmentId = await addDepartment(database.db, { name: 'Platform' })
  const userId = await addUser(database.db, { username: 'reader', departmentId })
  const blocker = new pg.Client(database.owner)
  await blocker.connect()
  await blocker.query('begin; lock table notification in access exclusive mode')
  const at = (name: string) => JSON.stringify(join(import.meta.dirname, name))
  const script = `Promise.all(['db', 'signals', 'outbox', 'notify'].map((name) => import(${at('.')} + '/' + name + '.ts'))).then(
    async ([{ createDb }, { createSignals }, { createOutbox }, { createNotify }]) => {
      const { db, pool } = createDb(${JSON.stringify(database.app)})
      const log = console
      const signals = createSignals({ pool, log })
      const outbox = createOutbox({ db, signals, log })
      const { notify } = createNotify({ signals, outbox })
      await outbox.start()
      await db.transaction().execute((tx) => notify(tx, [${userId}], { type: 'alert', word: 'superSignIn', data: {} }))
    })`
  const child = spawn(process.execPath, ['--import', 'tsx', '-e', script], { stdio: 'inherit' })
  const telling = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
    and query like 'insert into notification%'`
  await expect.poll(async () => (await database.pool.query(telling)).rowCount, { timeout: 60_000 }).toBe(1)
  child.kill('SIGKILL')
  await once(child, 'exit')
  await blocker.query('rollback')
  await blocker.end()

  const heard: string[] = []
  const ear = createSignals({ pool: database.pool, log })
  ear.on(liveChannel, (payload) => void (payload && heard.push(payload)))
  await ear.start()
  const outbox = outboxOf()
  createNotify({ signals, outbox })
  await outbox.start()
  await expect
    .poll(() => heard.map((text) => JSON.parse(text)), { timeout: 20_000 })
    .toEqual([{ userIds: [userId], message: { type: 'notification', kind: 'alert', word: 'superSignIn' } }])
  const { rows } = await sql`select title from notification where user_id = ${userId}`.execute(database.db)
  expect(rows).toEqual([{ title: 'superSignIn' }])
  await ear.stop()
})

test('a follower that nothing concerns does not keep what others have heard', async () => {
  const outbox = outboxOf()
  const heard: Counted[] = []
  outbox.follow('ears', changed, async (_tx, events) => void heard.push(...events))
  outbox.follow('deaf', defineTopic('never.happens', z.object({})), async () => undefined)
  await outbox.start()
  await emit(outbox, 'kept', 1)
  await expect.poll(() => numbersOf(heard, 'kept')).toEqual([1])
  await asOwner(`update outbox set create_time = now() - interval '2 days' where key = 'kept'`)
  const left = async () => {
    await removeHeard(database.db)
    return (await sql`select from outbox where key = 'kept'`.execute(database.db)).rows.length
  }
  await expect.poll(left).toBe(0)
})
