import { commandMachine, type protocol } from '@campanile/contract'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import type { Attempt } from './message-id.ts'
import type { StoredArgs } from './task-args.ts'

export interface Outgoing extends Attempt {
  readonly taskId: number
  readonly command: string
  readonly expires: string
}

const columns = sql`w.id, w.attempt, w.sn, w.plain_id as "plainId", w.task_id as "taskId", w.command, w.expires`
/** Its hour has come. */
const due = sql<SqlBool>`(w.due is null or w.due <= now())`
const connected = sql<SqlBool>`s.iot_status in ('online', 'flapping')`
/** A minute of silence, then two, four and so on: a device that is slow is not pestered, one that forgets is not lost. */
const longestPauseMinutes = 60
const quiet = sql<SqlBool>`greatest(w.asked_time, w.update_time)
  + least(power(2, w.asks), ${sql.lit(longestPauseMinutes)}) * interval '1 minute' <= now()`
const locked = async (db: Db, query: RawBuilder<unknown>): Promise<Outgoing[]> =>
  (await sql<Outgoing>`${query} for update of w skip locked`.execute(db)).rows

/** What waits for devices that are there; held until the transaction ends, so that nobody else hands it over too. */
export const lockQueued = (db: Db, after: number, limit: number): Promise<Outgoing[]> =>
  locked(
    db,
    sql`select ${columns} from command w join device_state s on s.device_id = w.device_id
      where w.state = 'queued' and w.id > ${after} and w.expires > now() and ${due} and ${connected} order by w.id limit ${limit}`,
  )

/**
 * What a device that has just come has not acknowledged, whether it was sent before or not. What it has acknowledged it
 * is asked about once, and from then on as seldom as any other: one that forgets what it did must not do it at every return.
 */
export const lockFor = (db: Db, sns: readonly string[], after: number, limit: number): Promise<Outgoing[]> =>
  locked(
    db,
    sql`select ${columns} from command w join device t on t.id = w.device_id
      where t.sn = any(${sns}) and w.id > ${after} and w.expires > now() and ${due} and (w.state = any(${commandMachine.from('send')})
        or w.state = 'acknowledged' and (w.asks = 0 or ${quiet})) order by w.id limit ${limit}`,
  )

/** Handed over, and not a word for a while from devices that are there: they never got it, or have forgotten it. */
export const lockQuiet = (db: Db, after: number, limit: number): Promise<Outgoing[]> =>
  locked(
    db,
    sql`select ${columns} from command w join device_state s on s.device_id = w.device_id
      where w.state in ('sent', 'acknowledged') and w.id > ${after} and ${quiet} and w.expires > now() and ${connected}
      order by w.id limit ${limit}`,
  )

/** Whoever had acknowledged it still has: it is only asked how it stands. */
export const markSent = (db: Db, ids: readonly number[]) =>
  sql`update command w set state = case when w.state = any(${commandMachine.from('send')})
        then ${commandMachine.next('send')} else w.state end,
      sent_time = case when w.state = 'acknowledged' then w.sent_time else now() end,
      asks = case when w.state = 'queued' then 0 else least(w.asks + 1, 1000) end, asked_time = now(),
      update_time = case when w.state = 'acknowledged' then w.update_time else now() end
    where id = any(${ids}) and state in ('queued', 'sent', 'acknowledged')`.execute(db)

export const findArgs = async (
  db: Db,
  taskIds: readonly number[],
): Promise<(StoredArgs & { readonly qos: protocol.CommandQos })[]> =>
  (
    await sql<
      StoredArgs & { qos: protocol.CommandQos }
    >`select id, args, sealed_args as sealed, qos from device_task where id = any(${taskIds})`.execute(db)
  ).rows
