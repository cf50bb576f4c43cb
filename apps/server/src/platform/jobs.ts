import { AppError } from '@campanile/contract'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Db } from './db.ts'
import { fenced } from './fence.ts'
import { toJsonb } from './jsonb.ts'
import { nextTime, type Recurrence } from './recurrence.ts'
import type { Signals } from './signals.ts'

export interface JobRun {
  readonly id: number
  /** 1 on the first try. */
  readonly attempt: number
  /** Fires when the server stops or the lease was lost: leave off at once, somebody else will start over. */
  readonly signal: AbortSignal
}

/** What a kind of job does. It may be run again after a crash at any point, so it must not mind its own traces. */
export interface JobHandler<P = never> {
  readonly run: (payload: P, job: JobRun) => Promise<void>
  /** After the last try, or at once when the reason is a person's to solve (AppError). */
  readonly gaveUp?: (payload: P, reason: unknown) => Promise<void>
  /** How many may run at once over all servers; one when left out. */
  readonly atOnce?: number
  readonly tries?: number
}

export interface JobsDeps {
  readonly db: Db
  readonly signals: Signals
  readonly log: Logger
  /** Shortened by tests. */
  readonly leaseMs?: number
  readonly pollMs?: number
  readonly patienceMs?: number
  readonly backoffMs?: number
}

interface Taken {
  id: number
  kind: string
  payload: never
  attempts: number
}

/** When something recurs: by the clocks of a zone, or of an organisation, whatever its zone is then. */
export type Recurring = Pick<Recurrence, 'at' | 'weekdays'> &
  ({ readonly zone: string } | { readonly departmentId: number })

interface Due {
  readonly due: boolean
  readonly kind: string
  readonly key: string
  readonly payload: object
  readonly at: string
  readonly weekdays: number[] | null
  readonly zone: string
  readonly now: string
}

const insertJob = async (tx: Db, kind: string, payload: object, runAt?: Date): Promise<number> => {
  const { rows } = await sql<{ id: number }>`insert into job (kind, payload, run_after)
    values (${kind}, ${toJsonb(payload)}::jsonb, coalesce(${runAt ?? null}, now())) returning id`.execute(tx)
  return rows[0]?.id as number
}

const channel = 'campanile_job'
const tries = 3

/** Work that outlives a request: kept in the database, taken by whichever server is free, taken again when that one dies. */
export const createJobs = (deps: JobsDeps) => {
  const { db, signals, log, leaseMs = 30_000, pollMs = 5_000, patienceMs = 5_000, backoffMs = 5_000 } = deps
  const handlers = new Map<string, JobHandler>()
  const repeated: { name: string; everyMs: number; run: () => Promise<unknown> }[] = []
  const running = new Map<number, { controller: AbortController; ended: Promise<void> }>()
  const timers = new Set<NodeJS.Timeout>()
  let working = false
  let looking: Promise<void> | undefined
  let lookAgain = false

  const lease = sql`now() + ${leaseMs} * interval '1 millisecond'`

  /** One at a time over all servers, so that `atOnce` is kept exactly. */
  const take = (): Promise<Taken | undefined> => {
    const kinds = [...handlers.keys()]
    const limits = kinds.map((kind) => handlers.get(kind)?.atOnce ?? 1)
    return db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtext(${channel}))`.execute(tx)
      const taken = await sql<Taken>`
        with busy as (select kind, count(*) as n from job where state = 'running' and leased_until > now() group by kind),
        free as (
          select k.kind from unnest(${kinds}::text[], ${limits}::int[]) as k(kind, at_once)
          left join busy on busy.kind = k.kind where coalesce(busy.n, 0) < k.at_once
        )
        update job set state = 'running', attempts = attempts + 1, leased_until = ${lease}
        where id = (
          select id from job where kind in (select kind from free)
            and (state = 'queued' and run_after <= now() or state = 'running' and leased_until <= now())
          order by run_after, id for update skip locked limit 1)
        returning id, kind, payload, attempts`.execute(tx)
      return taken.rows[0]
    })
  }

  /**
   * What is due to come again becomes a job, and the time after it is noted, in one transaction. What was missed while no
   * server ran is made up for once, however often it would have come.
   */
  const beginDue = () =>
    db.transaction().execute(async (tx) => {
      const due =
        await sql<Due>`select kind, key, payload, at_time as at, weekdays, coalesce(zone, zone_of(department_id)) as zone,
          next_run <= now() as due, now() as now
        from job_recurrence where (next_run <= now() or stale) and kind = any(${[...handlers.keys()]})
        order by next_run limit 100 for update skip locked`.execute(tx)
      for (const { kind, key, payload, due: isDue, now, at, weekdays, zone } of due.rows) {
        const next = nextTime({ at, zone, ...(weekdays && { weekdays }) }, new Date(now))
        await sql`update job_recurrence set next_run = ${next}, stale = false
          where kind = ${kind} and key = ${key}`.execute(tx)
        if (isDue) await insertJob(tx as Db, kind, payload)
      }
    })

  const look = async () => {
    do {
      lookAgain = false
      if (working) await beginDue()
      for (let job = working ? await take() : undefined; job; job = working ? await take() : undefined) begin(job)
    } while (lookAgain && working)
  }

  /** Wakes the search; a wake-up during a search makes it search once more. */
  const wake = () => {
    if (!working) return
    lookAgain = true
    looking ??= look()
      .catch((err) => log.error({ err }, 'jobs could not be looked for'))
      .finally(() => {
        looking = undefined
      })
  }

  const begin = (job: Taken) => {
    const controller = new AbortController()
    const ended = work(job, controller).finally(() => {
      running.delete(job.id)
      wake()
    })
    running.set(job.id, { controller, ended })
  }

  // `attempts` tells one lease from the next: whoever lost theirs can no longer write the outcome.
  const settle = (job: Taken, change: ReturnType<typeof sql>) =>
    sql`update job set ${change}, leased_until = null
      where id = ${job.id} and attempts = ${job.attempts} and state = 'running'`.execute(db)

  const work = async (job: Taken, controller: AbortController) => {
    const handler = handlers.get(job.kind) as JobHandler
    const renewal = setInterval(() => renew(job, controller), leaseMs / 3)
    try {
      if (job.attempts > (handler.tries ?? tries)) throw new Error('its worker died every time')
      await handler.run(job.payload, { id: job.id, attempt: job.attempts, signal: controller.signal })
      await settle(job, sql`state = 'done', finished_at = now(), error = null`)
    } catch (err) {
      await fail(job, handler, controller.signal, err).catch((cause) =>
        log.error({ err: cause, job: job.id }, 'the end of a job could not be written'),
      )
    } finally {
      clearInterval(renewal)
    }
  }

  const renew = (job: Taken, controller: AbortController) =>
    sql`update job set leased_until = ${lease} where id = ${job.id} and attempts = ${job.attempts} and state = 'running'`
      .execute(db)
      .then(
        (result) => result.numAffectedRows === 0n && controller.abort(),
        (err) => log.warn({ err, job: job.id }, 'a lease could not be renewed'),
      )

  const fail = async (job: Taken, handler: JobHandler, signal: AbortSignal, err: unknown) => {
    if (signal.aborted) {
      // Handed back: the interrupted try does not count.
      await settle(job, sql`state = 'queued', attempts = attempts - 1, run_after = now()`)
      return
    }
    const last = err instanceof AppError || job.attempts >= (handler.tries ?? tries)
    if (!(err instanceof AppError)) log.error({ err, job: job.id, kind: job.kind, last }, 'a job failed')
    const reason = String((err as Error).message ?? err).slice(0, 1000)
    if (!last) {
      const wait = backoffMs * 2 ** (job.attempts - 1)
      await settle(
        job,
        sql`state = 'queued', error = ${reason}, run_after = now() + ${wait} * interval '1 millisecond'`,
      )
      return
    }
    await handler.gaveUp?.(job.payload, err)
    await settle(job, sql`state = 'failed', finished_at = now(), error = ${reason}`)
  }

  const repeat = ({ name, everyMs, run }: (typeof repeated)[number]) => {
    const once = () =>
      Promise.resolve()
        .then(run)
        .catch((err) => log.error({ err }, `${name} failed`))
    timers.add(setInterval(once, everyMs))
    void once()
  }

  const mustBeDone = (kind: string) => {
    if (!handlers.has(kind)) throw new Error(`nobody does the job ${kind}`)
  }

  // Whoever's call woke it, the work is the server's own.
  signals.on(channel, () => fenced(undefined, wake))

  return {
    register: <P>(kind: string, handler: JobHandler<P>) => {
      if (handlers.has(kind)) throw new Error(`two handlers for the job ${kind}`)
      handlers.set(kind, handler as JobHandler)
    },
    /** Give it the transaction of what the job is about: both happen or neither. It is done at once, or not before `runAt`. */
    enqueue: async (
      tx: Db,
      kind: string,
      payload: object,
      { runAt }: { readonly runAt?: Date } = {},
    ): Promise<number> => {
      mustBeDone(kind)
      const id = await insertJob(tx, kind, payload, runAt)
      if (!runAt) await signals.send(tx, channel)
      return id
    },
    /**
     * From now on again and again, by the clocks of a zone or of an organisation, until it is ended; a kind recurs once for
     * each key. Said again as it is, at every start of a server, it changes nothing.
     */
    recur: async (tx: Db, kind: string, key: string, when: Recurring, payload: object = {}) => {
      mustBeDone(kind)
      const { at, weekdays } = when
      const [zone, departmentId] = 'zone' in when ? [when.zone, null] : [null, when.departmentId]
      const { rows } = await sql<{ now: string; zone: string }>`select now() as now,
        coalesce(${zone}, zone_of(${departmentId}::bigint)) as zone`.execute(tx)
      const [found] = rows
      if (!found) throw new Error('no time to reckon from')
      const next = nextTime({ at, zone: found.zone, ...(weekdays && { weekdays }) }, new Date(found.now))
      await sql`insert into job_recurrence (kind, key, payload, at_time, weekdays, zone, department_id, next_run)
        values (${kind}, ${key}, ${toJsonb(payload)}::jsonb, ${at}, ${weekdays ?? null}::smallint[], ${zone}, ${departmentId},
          ${next})
        on conflict (kind, key) do update set payload = excluded.payload, at_time = excluded.at_time,
          weekdays = excluded.weekdays, zone = excluded.zone, department_id = excluded.department_id,
          next_run = case when (job_recurrence.at_time, job_recurrence.weekdays, job_recurrence.zone, job_recurrence.department_id)
              is not distinct from (excluded.at_time, excluded.weekdays, excluded.zone, excluded.department_id)
            then job_recurrence.next_run else excluded.next_run end`.execute(tx)
    },
    endRecurrence: (tx: Db, kind: string, key: string) =>
      sql`delete from job_recurrence where kind = ${kind} and key = ${key}`.execute(tx),
    /** Housekeeping, at start and then regularly. Several servers may do it at the same time. */
    every: (name: string, everyMs: number, run: () => Promise<unknown>) => {
      repeated.push({ name, everyMs, run })
    },
    start: () => {
      working = true
      wake()
      timers.add(setInterval(wake, pollMs))
      repeated.push({ name: 'removing old jobs', everyMs: 3_600_000, run: () => removeOld(db) })
      for (const each of repeated) repeat(each)
    },
    /** Waits a moment for what is running, then hands it back to be done by the next server. */
    stop: async () => {
      working = false
      for (const timer of timers) clearInterval(timer)
      timers.clear()
      await looking
      const jobs = [...running.values()]
      const all = Promise.all(jobs.map((job) => job.ended))
      if (await within(patienceMs, all)) return
      for (const job of jobs) job.controller.abort()
      // Whoever does not even hear that loses the lease, and the job with it.
      await within(patienceMs, all)
    },
  }
}

export type Jobs = ReturnType<typeof createJobs>

const within = async (ms: number, work: Promise<unknown>): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms)
  })
  return Promise.race([work.then(() => true), late]).finally(() => clearTimeout(timer))
}

/** What went wrong stays a month for whoever looks into it. */
const removeOld = (db: Db) =>
  sql`delete from job where state = 'done' and finished_at < now() - interval '1 day'
    or state = 'failed' and finished_at < now() - interval '30 days'`.execute(db)
