import { commandMachine } from '@campanile/contract'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../../platform/db.ts'

export interface Outgoing {
  readonly id: number
  readonly attempt: number
  readonly sn: string
  readonly taskId: number
  readonly command: string
  readonly expires: string
}

const columns = sql`w.id, w.attempt, w.sn, w.task_id as "taskId", w.command, w.expires`
/** Its hour has come. */
const due = sql<SqlBool>`(w.due is null or w.due <= now())`
const connected = sql<SqlBool>`s.iot_status in ('online', 'flapping')`
const locked = async (db: Db, query: RawBuilder<unknown>): Promise<Outgoing[]> =>
  (await sql<Outgoing>`${query} for update of w skip locked`.execute(db)).rows

/** What waits for devices that are there; held until the transaction ends, so that nobody else hands it over too. */
export const lockQueued = (db: Db, after: number, limit: number): Promise<Outgoing[]> =>
  locked(
    db,
    sql`select ${columns} from command w join device_state s on s.device_id = w.device_id
      where w.state = 'queued' and w.id > ${after} and w.expires > now() and ${due} and ${connected} order by w.id limit ${limit}`,
  )

/** What a device that has just come has not acknowledged, whether it was sent before or not. */
export const lockFor = (db: Db, sns: readonly string[]): Promise<Outgoing[]> =>
  locked(
    db,
    sql`select ${columns} from command w join device t on t.id = w.device_id
      where t.sn = any(${sns}) and w.state = any(${commandMachine.from('send')}) and w.expires > now() and ${due}
      order by w.id`,
  )

/** Sent a while ago to devices that are still there and have not said a word. */
export const lockUnanswered = (db: Db, seconds: number, limit: number): Promise<Outgoing[]> =>
  locked(
    db,
    sql`select ${columns} from command w join device_state s on s.device_id = w.device_id
      where w.state = 'sent' and w.sent_time < now() - ${seconds} * interval '1 second' and w.expires > now()
        and ${connected} order by w.id limit ${limit}`,
  )

export const markSent = (db: Db, ids: readonly number[]) =>
  sql`update command set state = ${commandMachine.next('send')}, sent_time = now(), update_time = now()
    where id = any(${ids}) and state = any(${commandMachine.from('send')})`.execute(db)

export interface TaskArgs {
  readonly id: number
  readonly args: Record<string, unknown>
  readonly sealed: string | null
}
export const findArgs = async (db: Db, taskIds: readonly number[]): Promise<TaskArgs[]> =>
  (await sql<TaskArgs>`select id, args, sealed_args as sealed from device_task where id = any(${taskIds})`.execute(db))
    .rows
