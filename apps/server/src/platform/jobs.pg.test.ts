import { AppError, commonErrors } from '@campanile/contract'
import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { addDepartment } from '../test/app.ts'
import { type TestDatabase, testDatabase } from '../test/pg.ts'
import { createJobs, type JobsDeps } from './jobs.ts'
import { createSignals } from './signals.ts'

let database: TestDatabase
const log = pino({ level: 'silent' })
const running: { stop(): Promise<void> }[] = []

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())
beforeEach(() => sql`with gone as (delete from job_recurrence) delete from job`.execute(database.db))
afterEach(async () => {
  for (const each of running.splice(0)) await each.stop()
})

/** One server process: its queue and its ear. */
const server = (times: Partial<Pick<JobsDeps, 'leaseMs' | 'pollMs' | 'patienceMs' | 'backoffMs'>> = {}) => {
  const signals = createSignals({ pool: database.pool, log })
  const jobs = createJobs({ db: database.db, signals, log, pollMs: 60_000, backoffMs: 50, patienceMs: 50, ...times })
  return {
    ...jobs,
    start: async () => {
      await signals.start()
      jobs.start()
      running.push({
        stop: async () => {
          await jobs.stop()
          await signals.stop()
        },
      })
    },
  }
}

interface JobRow {
  state: string
  attempts: number
  error: string | null
}
const jobsNow = async () => {
  const { rows } = await sql<JobRow>`select state, attempts, error from job order by id`.execute(database.db)
  return rows
}
const states = async () => (await jobsNow()).map((job) => job.state)
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const until = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

test('a job is woken by the commit it was written in, and never by one that was undone', async () => {
  const done: number[] = []
  const jobs = server()
  jobs.register<{ n: number }>('count', { run: async ({ n }) => void done.push(n) })
  await jobs.start()
  const undone = database.db.transaction().execute(async (tx) => {
    await jobs.enqueue(tx, 'count', { n: 1 })
    throw new Error('changed my mind')
  })
  await expect(undone).rejects.toThrow('changed my mind')
  await database.db.transaction().execute(async (tx) => {
    await jobs.enqueue(tx, 'count', { n: 2 })
    await wait(100)
    expect(done).toEqual([])
  })
  // Nothing polls for a minute here, so only the signal can have done it.
  await expect.poll(states).toEqual(['done'])
  expect(done).toEqual([2])
})

test('two servers share the work and no job is done twice', async () => {
  const done: number[] = []
  const pair = [server(), server()]
  for (const jobs of pair)
    jobs.register<{ n: number }>('count', {
      atOnce: 4,
      run: async ({ n }) => {
        await wait(5)
        done.push(n)
      },
    })
  const [first, second] = pair as [(typeof pair)[0], (typeof pair)[0]]
  await database.db.transaction().execute(async (tx) => {
    for (let n = 0; n < 40; n += 1) await first.enqueue(tx, 'count', { n })
  })
  await Promise.all([first.start(), second.start()])
  await expect.poll(async () => (await states()).every((state) => state === 'done')).toBe(true)
  expect(done.sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, n) => n))
})

test('no more than allowed run at once, over all servers, and other kinds do not wait for them', async () => {
  let now = 0
  let most = 0
  const done: string[] = []
  const pair = [server(), server()]
  for (const jobs of pair) {
    jobs.register('slow', {
      atOnce: 2,
      run: async () => {
        now += 1
        most = Math.max(most, now)
        await wait(60)
        now -= 1
      },
    })
    jobs.register('quick', { run: async () => void done.push('quick') })
  }
  const [first, second] = pair as [(typeof pair)[0], (typeof pair)[0]]
  for (let n = 0; n < 6; n += 1) await first.enqueue(database.db, 'slow', {})
  await first.enqueue(database.db, 'quick', {})
  await Promise.all([first.start(), second.start()])
  await expect.poll(() => done).toEqual(['quick'])
  await expect.poll(async () => (await states()).every((state) => state === 'done')).toBe(true)
  expect(most).toBe(2)
})

test('what fails is tried again a little later, and given up after the third time', async () => {
  const tries: number[] = []
  const givenUp: string[] = []
  const jobs = server({ pollMs: 20 })
  jobs.register<{ name: string }>('shaky', {
    run: async (_, { attempt }) => {
      tries.push(attempt)
      throw new Error('the disk is full')
    },
    gaveUp: async ({ name }, reason) => void givenUp.push(`${name}: ${(reason as Error).message}`),
  })
  await jobs.start()
  await jobs.enqueue(database.db, 'shaky', { name: 'it' })
  await expect.poll(jobsNow).toMatchObject([{ state: 'failed', attempts: 3, error: 'the disk is full' }])
  expect(tries).toEqual([1, 2, 3])
  expect(givenUp).toEqual(['it: the disk is full'])
})

test('a reason a person must solve is not tried again', async () => {
  const codes: number[] = []
  const jobs = server()
  jobs.register('refused', {
    run: () => Promise.reject(new AppError(commonErrors.noPermission)),
    gaveUp: async (_, reason) => void codes.push((reason as AppError).code),
  })
  await jobs.start()
  await jobs.enqueue(database.db, 'refused', {})
  await expect.poll(jobsNow).toMatchObject([{ state: 'failed', attempts: 1 }])
  expect(codes).toEqual([100013])
})

test('a job whose worker died is taken again when its lease has run out', async () => {
  await sql`insert into job (kind, payload, state, attempts, leased_until)
    values ('orphan', '{}', 'running', 1, now() + interval '300 milliseconds')`.execute(database.db)
  const attempts: number[] = []
  const jobs = server({ pollMs: 50 })
  jobs.register('orphan', { run: async (_, { attempt }) => void attempts.push(attempt) })
  await jobs.start()
  await wait(100)
  expect(attempts).toEqual([])
  await expect.poll(states).toEqual(['done'])
  expect(attempts).toEqual([2])
})

test('a job that kills its worker every time is given up', async () => {
  await sql`insert into job (kind, payload, state, attempts, leased_until)
    values ('deadly', '{}', 'running', 3, now() - interval '1 second')`.execute(database.db)
  const runs: string[] = []
  const jobs = server()
  jobs.register('deadly', { run: async () => void runs.push('again') })
  await jobs.start()
  await expect.poll(states).toEqual(['failed'])
  expect(runs).toEqual([])
})

test('a lease is renewed while the work goes on', async () => {
  const pair = [server({ leaseMs: 800, pollMs: 100 }), server({ leaseMs: 800, pollMs: 100 })]
  let runs = 0
  for (const jobs of pair)
    jobs.register('long', {
      run: async () => {
        runs += 1
        await wait(2_000)
      },
    })
  for (const jobs of pair) await jobs.start()
  await pair[0]?.enqueue(database.db, 'long', {})
  await expect.poll(states).toEqual(['done'])
  expect(runs).toBe(1)
})

test('whoever lost the lease is told to stop and can no longer write the outcome', async () => {
  const aborted: boolean[] = []
  const jobs = server({ leaseMs: 150 })
  jobs.register('stolen', {
    run: async (_, { signal }) => {
      await until(signal).catch(() => aborted.push(signal.aborted))
    },
  })
  await jobs.start()
  await jobs.enqueue(database.db, 'stolen', {})
  await expect.poll(states).toEqual(['running'])
  await sql`update job set attempts = attempts + 1`.execute(database.db)
  // On a busy machine a lease is over before it is renewed, so it may be told to stop more than once.
  await expect.poll(() => aborted[0]).toBe(true)
  await wait(50)
  expect(await states()).toEqual(['running'])
  await sql`delete from job`.execute(database.db)
})

test('stopping waits for what is nearly done and hands the rest back as if it had never begun', async () => {
  const jobs = server({ patienceMs: 1_500 })
  let finished = 0
  let finish = () => {}
  const nearly = new Promise<void>((resolve) => {
    finish = resolve
  })
  jobs.register('short', {
    run: async () => {
      await nearly
      finished += 1
    },
  })
  jobs.register('endless', { run: (_, { signal }) => until(signal) })
  await jobs.start()
  await jobs.enqueue(database.db, 'short', {})
  await jobs.enqueue(database.db, 'endless', {})
  await expect.poll(states).toEqual(['running', 'running'])
  const stopped = running.splice(0)[0]?.stop()
  finish()
  await stopped
  expect(finished).toBe(1)
  expect(await jobsNow()).toMatchObject([
    { state: 'done', attempts: 1 },
    { state: 'queued', attempts: 0 },
  ])
})

test('the ear finds its way back after the database dropped it', async () => {
  const done: number[] = []
  const jobs = server()
  jobs.register('heard', { run: async () => void done.push(1) })
  await jobs.start()
  const pg = (await import('pg')).default
  const owner = new pg.Client(database.owner)
  await owner.connect()
  await owner.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where usename = 'campanile_app' and datname = current_database()`)
  await owner.end()
  // Missed while deaf, found when hearing again.
  await expect
    .poll(() =>
      jobs.enqueue(database.db, 'heard', {}).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true)
  await expect.poll(() => done.length).toBe(1)
})

test('a job with a time to run waits for it, over a restart too', async () => {
  const done: string[] = []
  const first = server({ pollMs: 20 })
  const run = async ({ word }: { word: string }) => void done.push(word)
  first.register('say', { run })
  await first.start()
  await first.enqueue(database.db, 'say', { word: 'later' }, { runAt: new Date(Date.now() + 3_600_000) })
  await first.enqueue(database.db, 'say', { word: 'now' })
  await expect.poll(() => done).toEqual(['now'])
  await running.splice(0)[0]?.stop()
  await sql`update job set run_after = now() where state = 'queued'`.execute(database.db)
  const second = server({ pollMs: 20 })
  second.register('say', { run })
  await second.start()
  await expect.poll(() => done).toEqual(['now', 'later'])
})

test('what recurs is done once each time, by however many servers, and made up for once after a rest', async () => {
  const done: string[] = []
  const servers = [server({ pollMs: 10 }), server({ pollMs: 10 }), server({ pollMs: 10 })]
  for (const each of servers) {
    each.register<{ word: string }>('say', { run: async ({ word }) => void done.push(word) })
    each.register('other', { run: async () => undefined })
  }
  const [one] = servers
  if (!one) throw new Error('no server')
  const daily = { at: '03:30', zone: 'Europe/Berlin' }
  await one.recur(database.db, 'say', 'plan 1', daily, { word: 'good morning' })
  const next = async () =>
    (
      await sql<{ key: string; next: string; ahead: boolean }>`select key, next_run as next, next_run > now() as ahead
      from job_recurrence order by key`.execute(database.db)
    ).rows
  const planned = await next()
  expect(planned).toMatchObject([{ key: 'plan 1', ahead: true }])
  // Three days without a server, and then all of them at once.
  const missed = () => sql`update job_recurrence set next_run = now() - interval '3 days'`.execute(database.db)
  await missed()
  await one.recur(database.db, 'say', 'plan 1', daily, { word: 'good morning' })
  for (const each of servers) await each.start()
  await expect.poll(() => done).toEqual(['good morning'])
  expect(await next()).toEqual(planned)
  await missed()
  await expect.poll(() => done).toHaveLength(2)
  // Another time is another plan; the same one over again is not.
  await one.recur(database.db, 'say', 'plan 1', { ...daily, at: '04:30' }, { word: 'good morning' })
  expect((await next())[0]?.next).not.toBe(planned[0]?.next)
  await one.endRecurrence(database.db, 'say', 'plan 1')
  expect(await next()).toEqual([])
  expect(done).toHaveLength(2)
})

test('what recurs by the clocks of an organisation follows when these are others', async () => {
  const jobs = server({ pollMs: 10 })
  const done: string[] = []
  jobs.register('say', { run: async () => void done.push('said') })
  const root = await addDepartment(database.db, { name: 'Platform' })
  const office = await addDepartment(database.db, { name: 'Office', parentId: root })
  const clockAt = async (zone: string) =>
    (
      await sql<{ time: string }>`select to_char(next_run at time zone ${zone}, 'HH24:MI') as time from job_recurrence
        where not stale`.execute(database.db)
    ).rows[0]?.time
  await jobs.recur(database.db, 'say', 'office', { at: '03:30', departmentId: office })
  expect(await clockAt('UTC')).toBe('03:30')
  await jobs.start()
  const settle = (id: number, zone: string | null) =>
    sql`update department set time_zone = ${zone} where id = ${id}`.execute(database.db)
  await settle(root, 'Asia/Shanghai')
  await expect.poll(() => clockAt('Asia/Shanghai')).toBe('03:30')
  await settle(office, 'America/New_York')
  await expect.poll(() => clockAt('America/New_York')).toBe('03:30')
  await settle(office, null)
  await expect.poll(() => clockAt('Asia/Shanghai')).toBe('03:30')
  expect(done).toEqual([])
  await sql`delete from department where id = ${office}`.execute(database.db)
  expect((await sql`select from job_recurrence`.execute(database.db)).rows).toEqual([])
})
