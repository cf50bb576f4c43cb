import { type CommandState, commandMachine, commandReasons, fileCommands, type protocol } from '@campanile/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import { toJsonb } from '../../platform/jsonb.ts'
import type { Attempt } from './message-id.ts'
import type { StoredArgs } from './task-args.ts'

export interface Report extends Attempt {
  /** Who says it: after it has passed to another enterprise, a device is another one. */
  readonly deviceId: number
  readonly done: boolean
  readonly percent: number | null
  /** Of an update: what is under way. */
  readonly step: protocol.ReplyStep | null
  readonly reason: string | null
  readonly result: Readonly<Record<string, unknown>> | null
}

export interface Moved {
  readonly id: number
  readonly taskId: number
  readonly deviceId: number | null
  readonly sn: string
  readonly command: string
  readonly state: CommandState
  readonly percent: number | null
  readonly reason: string | null
  readonly result: Record<string, unknown> | null
}

const given = (reports: readonly Report[]) => sql`unnest(${reports.map(({ id }) => id)}::bigint[],
  ${reports.map(({ attempt }) => attempt)}::int[], ${reports.map(({ deviceId }) => deviceId)}::bigint[], ${reports.map(({ sn }) => sn)}::text[],
  ${reports.map(({ plainId }) => plainId)}::boolean[], ${reports.map(({ done }) => done)}::boolean[],
  ${reports.map(({ percent }) => percent)}::int[], ${reports.map(({ reason }) => reason)}::text[],
  ${reports.map(({ result }) => result && toJsonb(result))}::text[]) r(id, attempt, device_id, sn, plain_id, done, percent, reason, result)`
const isMeant = sql`c.id = r.id and c.attempt = r.attempt and c.device_id = r.device_id and c.sn = r.sn and c.plain_id = r.plain_id`
/** What a device says of a file that has come is left out: the file itself tells its name, its size and its sum. */
const kept = sql`case when c.file_id is not null then r.result::jsonb - '{name,bytes,sha256}'::text[] else r.result::jsonb end`
export const moved = sql`c.id, c.task_id as "taskId", c.device_id as "deviceId", c.sn, c.command, c.state, c.percent, c.reason, c.result`

/** The arguments of those of these commands that were told a secret. */
export const findSecretive = async (db: Db, ids: readonly number[]): Promise<Map<number, StoredArgs>> => {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<StoredArgs & { commandId: number }>`select c.id as "commandId", k.id, k.args,
      k.sealed_args as sealed
    from command c join device_task k on k.id = c.task_id
    where c.id = any(${ids}) and k.sealed_args is not null`.execute(db)
  return new Map(rows.map((row) => [row.commandId, row]))
}

/** The table is the guard: a late or repeated word finds nothing it could change, and neither does a stranger's. */
export const acknowledge = async (db: Db, reports: readonly Report[]): Promise<Moved[]> => {
  if (reports.length === 0) return []
  return (
    await sql<Moved>`update command c set state = ${commandMachine.next('acknowledge')}, percent = r.percent, asks = 0,
        update_time = now()
      from ${given(reports)} where ${isMeant} and c.state = any(${commandMachine.from('acknowledge')})
      returning ${moved}`.execute(db)
  ).rows
}

/** How far it is; never backwards, and only while it is under way. */
export const reportProgress = async (db: Db, reports: readonly Report[]): Promise<Moved[]> => {
  const told = reports.filter(({ percent }) => percent !== null)
  if (told.length === 0) return []
  return (
    await sql<Moved>`update command c set percent = r.percent, asks = 0, update_time = now() from ${given(told)}
      where ${isMeant} and c.state = 'acknowledged' and r.percent > coalesce(c.percent, -1)
      returning ${moved}`.execute(db)
  ).rows
}

/** Of these, the commands that are under way and whose device and attempt say so. */
export const findMeant = async (db: Db, reports: readonly Report[]): Promise<number[]> =>
  (
    await sql<{ id: number }>`select c.id from command c, ${given(reports)}
      where ${isMeant} and c.state = ${commandMachine.next('acknowledge')}`.execute(db)
  ).rows.map(({ id }) => id)

/**
 * A device sends its file first and says `done` when that was confirmed, so whoever says it without one has not done it. Read
 * from the row as it is once it is locked: an answer on the heels of its file waits for the transaction that attaches it.
 */
const isDone = sql`(r.done and (c.file_id is not null or c.command <> all(${fileCommands})))`

/** Both ends in one statement, so that the figures of the tasks are worked out once and in one order. */
export const end = async (db: Db, reports: readonly Report[]): Promise<Moved[]> => {
  if (reports.length === 0) return []
  return (
    await sql<Moved>`update command c set percent = r.percent, result = ${kept},
        reason = case when r.done and not ${isDone} then ${commandReasons.fileMissing} else r.reason end,
        state = case when ${isDone} then ${commandMachine.next('succeed')} else ${commandMachine.next('fail')} end,
        end_time = now(), update_time = now()
      from ${given(reports)} where ${isMeant} and (${isDone} and c.state = any(${commandMachine.from('succeed')})
        or not ${isDone} and c.state = any(${commandMachine.from('fail')}))
      returning ${moved}`.execute(db)
  ).rows
}

/** Nobody waits for it any more, but whoever gave it up should know what the device did. It changes nothing else. */
export const noteLate = async (db: Db, reports: readonly Report[]): Promise<Moved[]> => {
  if (reports.length === 0) return []
  return (
    await sql<Moved>`update command c set result = ${kept}, update_time = now(),
        reason = case when ${isDone} then ${commandReasons.doneAfterAll} else ${commandReasons.failedAfterAll} end
      from ${given(reports)} where ${isMeant} and c.state = ${commandMachine.next('giveUp')}
        and c.reason = ${commandReasons.givenUp}
      returning ${moved}`.execute(db)
  ).rows
}
