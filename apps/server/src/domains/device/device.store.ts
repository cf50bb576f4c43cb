import { AppError, activationStates, deviceErrors } from '@campanile/contract'
import { sql } from 'kysely'
import { covers, type Place, type Scope } from '../../kit/actor.ts'
import { ownerPath } from '../../kit/department.ts'
import { inScope } from '../../kit/scope.ts'
import { source } from '../../kit/table.ts'
import type { Db } from '../../platform/db.ts'
import { toJsonb } from '../../platform/jsonb.ts'
import { findEnabledCodes } from '../system/index.ts'
import { deviceTable } from './device.table.ts'

/** Where devices are put: one that does not exist and one out of reach are told alike (behaviour: api.places). */
export const placeInReach = async (db: Db, scope: Scope, id: number): Promise<{ id: number; name: string }> => {
  const { rows } = await sql<{ id: number; name: string; path: string }>`select id, name, path::text as path
    from department where id = ${id}`.execute(db)
  const place = rows[0]
  if (!place || !covers(scope, place.path)) throw new AppError(deviceErrors.departmentUnknown)
  return place
}

/** A device as the rooms that act on it see it. */
export interface Known {
  readonly id: number
  readonly sn: string
  readonly deviceType: number
  readonly departmentId: number
  readonly departmentName: string
  readonly path: string
  readonly groupId: number | null
  readonly groupName: string | null
  readonly online: boolean
  readonly capabilities: readonly string[]
}

export const knownColumns = sql`t.id, t.sn, t.device_type as "deviceType", t.department_id as "departmentId",
  d.name as "departmentName", d.path::text as path, t.group_id as "groupId", g.name as "groupName",
  coalesce(s.iot_status in ('online', 'flapping'), false) as online, coalesce(s.capabilities, '{}') as capabilities`

/** Those of these serials the scope reaches, in the order of their numbers. */
export const findBySns = async (db: Db, scope: Scope, sns: readonly string[]): Promise<Known[]> =>
  (
    await sql<Known>`select ${knownColumns} from ${source(deviceTable)}
      where t.sn = any(${sns}) and ${inScope(deviceTable, scope)} order by t.id`.execute(db)
  ).rows

/** CachedState to the end of the transaction, always in the same order, so that no two wait for each other. */
export const lockBySns = async (db: Db, scope: Scope, sns: readonly string[]): Promise<Known[]> => {
  await sql`select 1 from device where sn = any(${sns}) order by id for update`.execute(db)
  return findBySns(db, scope, sns)
}

/** The same for those who may end up deleting them: see `holdStates`. */
export const lockWithStates = async (db: Db, scope: Scope, sns: readonly string[]): Promise<Known[]> => {
  await sql`select from device_state where device_id = any(array(select id from device where sn = any(${sns})))
    order by device_id for update`.execute(db)
  return lockBySns(db, scope, sns)
}

export const lockByIds = async (db: Db, scope: Scope, ids: readonly number[]): Promise<Known[]> => {
  await sql`select 1 from device where id = any(${ids}) order by id for update`.execute(db)
  return (
    await sql<Known>`select ${knownColumns} from ${source(deviceTable)}
      where t.id = any(${ids}) and ${inScope(deviceTable, scope)} order by t.id`.execute(db)
  ).rows
}

/** Which serials are taken at all, by whomever: numbers are the makers', and unique over the installation. */
export const findTaken = async (db: Db, sns: readonly string[]): Promise<ReadonlySet<string>> => {
  const { rows } = await sql<{ sn: string }>`select sn from serials_taken(${sns}) sn`.execute(db)
  return new Set(rows.map(({ sn }) => sn))
}

/** Those of these codes that stand in the code table. */
export const findDeviceTypes = (db: Db, codes: readonly number[]): Promise<ReadonlySet<number>> =>
  findEnabledCodes(db, 'deviceType', codes)

const { notActivated, unbound, bound, unbinding } = activationStates

/** Whoever holds the old password is nobody from now on; a new activation code lets the device join again. */
export const revokeCredentials = (db: Db, ids: readonly number[]) =>
  sql`update device set credential_hash = null, credential_version = credential_version + 1,
      activation_status = case activation_status when ${notActivated} then ${notActivated} else ${unbound}::smallint end
    where id = any(${ids})`.execute(db)

/** Those of these that stand in no organisation, or are about to leave theirs. */
export const findNotBound = async (db: Db, ids: readonly number[]): Promise<ReadonlySet<number>> => {
  const { rows } = await sql<{ id: number }>`select id from device
    where id = any(${ids}) and activation_status <> ${bound}`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** They were told to go, and are waited for. */
export const markUnbinding = (db: Db, ids: readonly number[]) =>
  sql`update device set activation_status = ${unbinding} where id = any(${ids}) and activation_status = ${bound}`.execute(
    db,
  )

/** The wait is over: some are gone, the others stay what they were. */
export const settleUnbinding = async (db: Db, { gone, kept }: { gone: readonly number[]; kept: readonly number[] }) => {
  await sql`update device set credential_hash = null, credential_version = credential_version + 1,
      activation_status = ${unbound} where id = any(${gone}) and activation_status = ${unbinding}`.execute(db)
  await sql`update device set activation_status = ${bound}
    where id = any(${kept}) and activation_status = ${unbinding}`.execute(db)
}

/** Leaves its group: that one belongs to the department it came from. */
export const moveDevices = (db: Db, ids: readonly number[], departmentId: number) =>
  sql`update device set department_id = ${departmentId}, group_id = null, group_time = null
    where id = any(${ids})`.execute(db)

/** The enterprise a department belongs to. */
export const enterprisesOf = async (db: Db, departmentIds: readonly number[]) => {
  const { rows } = await sql<{ id: number; owner: Place | null }>`select d.id,
      (select jsonb_build_object('id', o.id, 'name', o.name, 'type', o.type, 'path', o.path::text) from department o
        where o.path = ${ownerPath(sql`d.path`)}) as owner
    from department d where d.id = any(${departmentIds})`.execute(db)
  return new Map(rows.map(({ id, owner }) => [id, owner]))
}

/** Serial number of the first of these devices that stands outside the enterprise a department belongs to. */
export const findStranger = async (db: Db, departmentId: number, ids: readonly number[]) => {
  const { rows } = await sql<{ sn: string }>`select t.sn from device t join department d on d.id = t.department_id
    where t.id = any(${ids}) and not d.path <@ coalesce((select ${ownerPath(sql`home.path`)} from department home
      where home.id = ${departmentId}), d.path) order by t.id limit 1`.execute(db)
  return rows[0]?.sn
}

/** Where a group or a department has gone to another enterprise, its devices and its groups do not hold on to each other. */
export const leaveForeignGroups = (db: Db, path: string) =>
  sql`update device t set group_id = null, group_time = null
    from device_group g join department home on home.id = g.department_id, department d
    where g.id = t.group_id and d.id = t.department_id and (d.path <@ ${path}::ltree or home.path <@ ${path}::ltree)
      and not d.path <@ coalesce(${ownerPath(sql`home.path`)}, d.path)`.execute(db)

/**
 * What devices say is written to their state first and refers to the device then. Whoever deletes takes the same way, or
 * the two would wait for each other.
 */
export const holdStates = (db: Db, ids: readonly number[]) =>
  sql`select from device_state where device_id = any(${ids}) order by device_id for update`.execute(db)

/** What a device was told and has done. Later words of the device itself go over it. */
export const markLocked = (db: Db, ids: readonly number[], locked: boolean) =>
  sql`update device_state set locked = ${locked} where device_id = any(${ids})`.execute(db)

/** Those of these that are held to no programs: they have no password that could stay. */
export const findOutOfKiosk = async (db: Db, ids: readonly number[]): Promise<ReadonlySet<number>> => {
  const { rows } = await sql<{ id: number }>`select device_id as id from device_state
    where device_id = any(${ids}) and kiosk is null`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

export const markKiosk = (db: Db, ids: readonly number[], kiosk: { mode: string; packages: string[] } | null) =>
  sql`update device_state set kiosk = ${kiosk === null ? null : toJsonb(kiosk)}::jsonb
    where device_id = any(${ids})`.execute(db)

export interface App {
  readonly package: string
  readonly name?: string | undefined
  readonly version?: string | undefined
  readonly enabled?: boolean | undefined
}
/** The whole list as the device told it: what is not in it is gone. */
export const replaceApps = async (db: Db, deviceId: number, apps: readonly App[]) => {
  await sql`delete from device_app where device_id = ${deviceId}`.execute(db)
  await sql`insert into device_app (device_id, package, name, version, enabled)
    select distinct on (a.package) ${deviceId}::bigint, a.package, a.name, a.version, a.enabled
    from jsonb_to_recordset(${toJsonb(apps)}::jsonb)
      as a(package text, name text, version text, enabled boolean)`.execute(db)
}

export const setAppEnabled = (db: Db, ids: readonly number[], name: string, enabled: boolean) =>
  sql`update device_app set enabled = ${enabled} where device_id = any(${ids}) and package = ${name}`.execute(db)

export const removeApp = (db: Db, ids: readonly number[], name: string) =>
  sql`delete from device_app where device_id = any(${ids}) and package = ${name}`.execute(db)
