import type { Statistics } from '@campanile/contract'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Scope } from '../../kit/actor.ts'
import { reaches } from '../../kit/scope.ts'
import type { Db } from '../../platform/db.ts'
import { activeLately, seenSince, seenToday } from './device.table.ts'
import { broughtColumn, broughtFigure } from './extension.ts'
import { hasProblem } from './problems.ts'

const devices = sql`device t join department d on d.id = t.department_id
  left join device_state s on s.device_id = t.id`

type Counted = Omit<Statistics, 'periodType' | 'startTime' | 'endTime'>
export interface Period {
  readonly from: string
  readonly to: string
  /** It has not ended. */
  readonly isRunning: boolean
}

const under = (departmentId: number | undefined): RawBuilder<SqlBool> =>
  departmentId === undefined
    ? sql`true`
    : sql`d.path <@ (select chosen.path from department chosen where chosen.id = ${departmentId})`

/** It came or went in that time, or had come before and had not gone. */
const wasThere = ({ from, to }: Period): RawBuilder<SqlBool> =>
  sql`(exists (select from presence_log p where p.device_id = t.id and p.time >= ${from} and p.time < ${to})
    or coalesce((select p.online from presence_log p where p.device_id = t.id and p.time < ${from}
      order by p.time desc limit 1), false))`

/** Nobody has been there yet in a time that is to come (behaviour: devices.active). */
const wasActive = (period: Period | undefined): RawBuilder<SqlBool> =>
  period === undefined
    ? activeLately
    : sql`t.activation_status <> 0 and ${period.from}::timestamptz <= now()
        and ${period.isRunning ? seenSince(sql`${period.from}::timestamptz`) : wasThere(period)}`

/**
 * All are those in the warehouse and those distributed; what is distributed is online, flapping or offline now (behaviour: devices.figures).
 * "Today" is whether it was there at all since midnight (behaviour: devices.today).
 */
export const countDevices = async (
  db: Db,
  scope: Scope,
  { departmentId, period }: { departmentId?: number | undefined; period?: Period | undefined } = {},
): Promise<Counted> => {
  const where = sql<SqlBool>`${reaches(scope, sql`d.path`)} and ${under(departmentId)}`
  const { rows } = await sql<Counted>`select n.*, n."totalNum" - n.warehouse as distributed,
      n."totalNum" - n.warehouse - n."onlineToday" as "offlineToday",
      n."totalNum" - n.warehouse - n."onlineNum" - n."flappingNum" as "offlineNum",
      ${broughtFigure('deviceCertCount', where)} as "deviceCertCount",
      ${broughtFigure('licencesExpiring', where)} as "licencesExpiring"
    from (select count(*) as "totalNum",
        count(*) filter (where t.activation_status = 0) as warehouse,
        count(*) filter (where t.credential_hash is not null) as "currentDistribution",
        count(*) filter (where t.activation_status <> 0 and ${seenToday}) as "onlineToday",
        count(*) filter (where t.activation_status <> 0 and s.iot_status = 'online') as "onlineNum",
        count(*) filter (where t.activation_status <> 0 and s.iot_status = 'flapping') as "flappingNum",
        count(*) filter (where ${hasProblem(['away'])}) as "awayNum",
        count(*) filter (where s.charging = 'charging') as "chargingNum",
        count(*) filter (where s.robot_state = 'breakdown') as "breakdownNum",
        count(*) filter (where s.robot_state = 'working') as "workingNum",
        count(*) filter (where s.robot_state = 'idle') as "idleNum",
        count(*) filter (where ${wasActive(period)}) as "activeNum"
      from ${devices} where ${where}) n`.execute(db)
  return rows[0] as Counted
}

/** When the hour, day, week … of a moment began, by the server's clock. */
export const beginningOf = async (db: Db, unit: string, at: string): Promise<string> => {
  const { rows } = await sql<{ start: string }>`select date_trunc(${unit}, ${at}::timestamptz) as start`.execute(db)
  return new Date(rows[0]?.start ?? at).toISOString()
}

const countJson = async (db: Db, query: RawBuilder<{ name: string; n: number }>): Promise<Record<string, number>> =>
  Object.fromEntries((await query.execute(db)).rows.map(({ name, n }) => [name, n]))

const mostNames = 50

export const spreadOfFirmware = (db: Db, scope: Scope, model: string | undefined) =>
  countJson(
    db,
    sql`select coalesce(s.firmware_version, '') as name, count(*) as n from ${devices}
      where ${reaches(scope, sql`d.path`)} and s.firmware_version is not null ${model ? sql`and t.model = ${model}` : sql``}
      group by 1 order by 2 desc, 1 limit ${mostNames}`,
  )

export const spreadOfModels = (db: Db, scope: Scope) =>
  countJson(
    db,
    sql`select t.model as name, count(*) as n from ${devices} where ${reaches(scope, sql`d.path`)} and t.model is not null
      group by 1 order by 2 desc, 1 limit ${mostNames}`,
  )

/** Versions of one app, or how many devices hold each app. */
export const spreadOfApps = (db: Db, scope: Scope, name: string | undefined) =>
  countJson(
    db,
    sql`select ${name ? sql`coalesce(a.version, '')` : sql`a.package`} as name, count(*) as n
      from device_app a join device t on t.id = a.device_id join department d on d.id = t.department_id
      where ${reaches(scope, sql`d.path`)} ${name ? sql`and a.package = ${name}` : sql``}
      group by 1 order by 2 desc, 1 limit ${mostNames}`,
  )

export const countDepartment = async (db: Db, scope: Scope, departmentId: number) => {
  const { rows } = await sql<{ deviceCertCount: number; devices: number; online: number }>`select
      count(t.id) as devices, count(*) filter (where s.iot_status in ('online', 'flapping')) as online,
      count(*) filter (where ${broughtColumn('device.licence')()} in ('active', 'expiring')) as "deviceCertCount"
    from ${devices} where ${reaches(scope, sql`d.path`)}
      and ${under(departmentId)}`.execute(db)
  return rows[0] ?? { deviceCertCount: 0, devices: 0, online: 0 }
}
