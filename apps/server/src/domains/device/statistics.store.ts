import type { Statistics } from '@campanile/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../kit/actor.ts'
import { reaches } from '../../kit/scope.ts'
import type { Db } from '../../platform/db.ts'
import { activeLately, seenToday } from './device.table.ts'
import { licenceState } from './licence-state.ts'

const devices = sql`device t join department d on d.id = t.department_id
  left join device_state s on s.device_id = t.id`

/** Certificates of devices are licences of the first kind. */
const certificates = (scope: Scope, states: readonly string[]) =>
  sql`(select count(*) from licence l join device t on t.id = l.device_id join department d on d.id = t.department_id
    where l.kind = 'iot' and ${licenceState('l')} = any(${states}) and ${reaches(scope, sql`d.path`)})`

/**
 * readings 64: total = warehouse + distributed; what is distributed is online, flapping or offline now.
 * readings 156: "today" is whether it was there at all since midnight.
 */
export const countDevices = async (db: Db, scope: Scope): Promise<Statistics> => {
  const { rows } = await sql<Statistics>`select n.*, n."totalNum" - n.warehouse as distributed,
      n."totalNum" - n.warehouse - n."onlineToday" as "offlineToday",
      n."totalNum" - n.warehouse - n."onlineNum" - n."flappingNum" as "offlineNum",
      ${certificates(scope, ['active', 'expiring'])} as "deviceCertCount",
      ${certificates(scope, ['expiring'])} as "licencesExpiring"
    from (select count(*) as "totalNum",
        count(*) filter (where t.activation_status = 0) as warehouse,
        count(*) filter (where t.credential_hash is not null) as "currentDistribution",
        count(*) filter (where t.activation_status <> 0 and ${seenToday}) as "onlineToday",
        count(*) filter (where t.activation_status <> 0 and s.iot_status = 'online') as "onlineNum",
        count(*) filter (where t.activation_status <> 0 and s.iot_status = 'flapping') as "flappingNum",
        count(*) filter (where s.charging = 'charging') as "chargingNum",
        count(*) filter (where s.robot_state = 'breakdown') as "breakdownNum",
        count(*) filter (where s.robot_state = 'working') as "workingNum",
        count(*) filter (where s.robot_state = 'idle') as "idleNum",
        count(*) filter (where ${activeLately}) as "activeNum"
      from ${devices} where ${reaches(scope, sql`d.path`)}) n`.execute(db)
  return rows[0] as Statistics
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
      count(*) filter (where exists (select from licence l where l.device_id = t.id and l.kind = 'iot'
        and not l.revoked and l.expiry >= current_date)) as "deviceCertCount"
    from ${devices} where ${reaches(scope, sql`d.path`)}
      and d.path <@ (select chosen.path from department chosen where chosen.id = ${departmentId})`.execute(db)
  return rows[0] ?? { deviceCertCount: 0, devices: 0, online: 0 }
}
