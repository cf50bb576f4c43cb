import { sql } from 'kysely'
import type { Scope } from '../../kit/actor.ts'
import { reaches } from '../../kit/scope.ts'
import type { Db } from '../../platform/db.ts'
import { seenSince } from './device.table.ts'

/** behaviour: devices.periods */
export const periods = [
  { type: 1, unit: 'hour', shown: 24 },
  { type: 2, unit: 'day', shown: 30 },
  { type: 3, unit: 'week', shown: 13 },
  { type: 4, unit: 'month', shown: 12 },
  { type: 5, unit: 'quarter', shown: 8 },
  { type: 6, unit: 'year', shown: 5 },
] as const

const running = sql.join(periods.map(({ type, unit }) => sql`(${sql.lit(type)}, date_trunc(${sql.lit(unit)}, now()))`))

/**
 * Counts who has been there in the hour, day, week … that is running. `last_seen` moves on, so what is over cannot be
 * counted any more: it stays as it stood at its last minute. Who has been there never goes down; how many there are is what
 * there was at the end, also where the last device of a department went (behaviour: devices.active).
 */
export const countActivity = (db: Db) =>
  sql`with emptied as (update device_activity a set total = 0, distributed = 0
      where (a.period, a.start) in (values ${running}) and a.total > 0
        and not exists (select from device t where t.department_id = a.department_id))
    insert into device_activity as held (period, start, department_id, active, total, distributed)
    select p.period, p.start, n.department_id, n.active[p.period], n.total, n.distributed
    from (select t.department_id, count(*) as total, count(*) filter (where t.activation_status <> 0) as distributed,
        array[${sql.join(
          periods.map(
            ({ unit }) =>
              sql`count(*) filter (where t.activation_status <> 0 and ${seenSince(sql`date_trunc(${sql.lit(unit)}, now())`)})`,
          ),
        )}] as active
      from device t left join device_state s on s.device_id = t.id group by 1) n
    cross join (values ${running}) p(period, start)
    order by 1, 2, 3
    on conflict (period, start, department_id) do update set active = greatest(held.active, excluded.active),
      total = excluded.total, distributed = excluded.distributed`.execute(db)

export interface Step {
  time: string
  active: number
  total: number
  distributed: number
}
/** Nobody was counting: the server was not there, or had no device yet. */
type Uncounted = { [K in keyof Step]: K extends 'time' ? string : null }
export const isCounted = (step: Step | Uncounted): step is Step => step.active !== null

/** One row a step, uncounted ones included, oldest first. */
export const findActivity = async (
  db: Db,
  scope: Scope,
  { type, unit }: (typeof periods)[number],
  from: string,
  to: string,
): Promise<(Step | Uncounted)[]> =>
  (
    await sql<Step | Uncounted>`select step as time, sum(a.active)::int as active, sum(a.total)::int as total,
        sum(a.distributed)::int as distributed
      from generate_series(date_trunc(${sql.lit(unit)}, ${from}::timestamptz),
          date_trunc(${sql.lit(unit)}, ${to}::timestamptz), ${sql.lit(unit === 'quarter' ? '3 months' : `1 ${unit}`)}::interval) step
        left join (select h.* from device_activity h join department d on d.id = h.department_id
          where h.period = ${type} and ${reaches(scope, sql`d.path`)}) a on a.start = step
      group by step order by step`.execute(db)
  ).rows
