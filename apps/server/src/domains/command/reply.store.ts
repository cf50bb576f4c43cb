import { commandMachine } from '@campanile/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'

export interface Report {
  readonly id: number
  readonly attempt: number
  readonly sn: string
  readonly percent: number | null
  readonly reason: string | null
  readonly result: string | null
}

export interface Moved {
  readonly id: number
  readonly taskId: number
  readonly deviceId: number | null
  readonly command: string
  readonly result: Record<string, unknown> | null
}

const given = (reports: readonly Report[]) => sql`unnest(${reports.map(({ id }) => id)}::bigint[],
  ${reports.map(({ attempt }) => attempt)}::int[], ${reports.map(({ sn }) => sn)}::text[],
  ${reports.map(({ percent }) => percent)}::int[], ${reports.map(({ reason }) => reason)}::text[],
  ${reports.map(({ result }) => result)}::text[]) r(id, attempt, sn, percent, reason, result)`

/** The table is the guard: a late or repeated word finds nothing it could change, and neither does a stranger's. */
export const report = async (
  db: Db,
  event: 'acknowledge' | 'succeed' | 'fail',
  reports: readonly Report[],
): Promise<Moved[]> => {
  if (reports.length === 0) return []
  const ended = event === 'acknowledge' ? sql`null` : sql`now()`
  return (
    await sql<Moved>`update command c set state = ${commandMachine.next(event)}, percent = r.percent, reason = r.reason,
        result = r.result::jsonb, end_time = ${ended}, update_time = now()
      from ${given(reports)}
      where c.id = r.id and c.attempt = r.attempt and c.sn = r.sn and c.state = any(${commandMachine.from(event)})
      returning c.id, c.task_id as "taskId", c.device_id as "deviceId", c.command, c.result`.execute(db)
  ).rows
}

/** How far it is; never backwards, and only while it is under way. */
export const reportProgress = async (db: Db, reports: readonly Report[]): Promise<Moved[]> => {
  if (reports.length === 0) return []
  return (
    await sql<Moved>`update command c set percent = r.percent, update_time = now() from ${given(reports)}
      where c.id = r.id and c.attempt = r.attempt and c.sn = r.sn and c.state = 'acknowledged'
        and r.percent > coalesce(c.percent, -1)
      returning c.id, c.task_id as "taskId", c.device_id as "deviceId", c.command, c.result`.execute(db)
  ).rows
}
