import { firmware, type firmwareTypes, releaseErrors } from '@campanile/contract'
import { type SqlBool, sql } from 'kysely'
import type { Scope } from '../../kit/actor.ts'
import { plainTable } from '../../kit/plain.ts'
import { inScope, reaches } from '../../kit/scope.ts'
import { source } from '../../kit/table.ts'
import type { Db } from '../../platform/db.ts'
import type { ReleaseItem } from '../release/index.ts'

export const packages = plainTable(firmware, { constraints: { firmware_name: releaseErrors.packageExists } })

/** A package as devices are told of it. */
export interface Package extends ReleaseItem {
  readonly version: string
  readonly bytes: number
  readonly model: string
  readonly type: (typeof firmwareTypes)[number]
  readonly base: string | null
  readonly sha256: string
  readonly permitEids: string | null
  readonly contentId: number
  readonly departmentId: number
}
export const findPackage = async (db: Db, scope: Scope | undefined, id: number): Promise<Package | undefined> => {
  const reached = scope ? inScope(packages, scope) : sql<SqlBool>`true`
  return (
    await sql<Package>`select t.id, t.name, t.firmware_version as version, t.size as bytes, t.model, t.type, t.base,
        t.sha_256 as sha256, t.permit_eids as "permitEids", t.content_id as "contentId", t.department_id as "departmentId"
      from ${source(packages)} where t.id = ${id} and ${reached}`.execute(db)
  ).rows[0]
}

export const setContent = (db: Db, id: number, contentId: number) =>
  sql`update firmware set content_id = ${contentId} where id = ${id}`.execute(db)

/** Whether a file of this name is in the enterprise of a department already. */
export const isNameTaken = async (db: Db, departmentId: number, name: string): Promise<boolean> =>
  (
    await sql`select from firmware f join department d on d.id = ${departmentId}
      where f.enterprise_id = subpath(enterprise_path(d.path), -1)::text::bigint and lower(f.name) = lower(${name})`.execute(
      db,
    )
  ).rows.length > 0

/** Of these enterprises the first that the scope does not reach. */
export const findOutOfReach = async (db: Db, scope: Scope, ids: readonly number[]): Promise<number | undefined> => {
  const { rows } = await sql<{ id: number }>`select d.id from department d
    where d.id = any(${ids}) and ${reaches(scope, sql`d.path`)}`.execute(db)
  const reached = new Set(rows.map(({ id }) => id))
  return ids.find((id) => !reached.has(id))
}

/** Whether devices may still be told of one of them. */
export const isInRelease = async (db: Db, ids: readonly number[]): Promise<boolean> =>
  (
    await sql`select from release where kind = 'firmware' and item_id = any(${ids}) and state <> 'ended' limit 1`.execute(
      db,
    )
  ).rows.length > 0

export interface Runs {
  readonly id: number
  readonly model: string | null
  readonly version: string | null
}
/** What these devices are, and what runs on them. */
export const findRuns = async (db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, Runs>> => {
  const { rows } = await sql<Runs>`select v.id, v.model, s.firmware_version as version
    from device v left join device_state s on s.device_id = v.id where v.id = any(${ids})`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}
