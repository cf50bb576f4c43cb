import { sql } from 'kysely'
import type { Scope } from '../../kit/actor.ts'
import { inScope } from '../../kit/scope.ts'
import { source } from '../../kit/table.ts'
import type { Db } from '../../platform/db.ts'
import { apps } from './package.tables.ts'

export interface EarlierApp {
  readonly version: string
  readonly versionCode: string
  readonly signers: readonly string[]
}

/** Two who upload the same app at once: the second waits, and sees what the first has done. */
export const lockPackage = (tx: Db, enterpriseId: number, packageName: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`app ${enterpriseId} ${packageName}`}, 0))`.execute(tx)

/** The versions of an app that an enterprise has, the newest first. */
export const findVersions = async (db: Db, enterpriseId: number, packageName: string): Promise<EarlierApp[]> => {
  const { rows } = await sql<EarlierApp>`select version, version_code::text as "versionCode", signers from app_package
    where enterprise_id = ${enterpriseId} and package_name = ${packageName} order by version_code desc`.execute(db)
  return rows
}

/** All versions of an app that its enterprise keeps within reach, the newest first. */
export const findSiblings = async (db: Db, scope: Scope, id: number) => {
  const { rows } = await sql<{ id: number; version: string; createTime: string }>`select t.id, t.version,
      t.create_time as "createTime"
    from ${source(apps)} join app_package one on one.id = ${id} and one.enterprise_id = t.enterprise_id
      and one.package_name = t.package_name
    where ${inScope(apps, scope)} order by t.version_code desc`.execute(db)
  return rows
}

/** What of an app is passed on to another enterprise. */
export interface OfferedApp {
  readonly contentId: number
  readonly size: number
  readonly sha256: Buffer
  readonly icon: number | null
  readonly appName: string
  readonly packageName: string
  readonly version: string
  readonly versionCode: string
  readonly signers: string[]
  readonly minSdk: number | null
  readonly permissions: string[]
  readonly appCate: number
  readonly description: string | null
}

export const findOffered = async (db: Db, id: number): Promise<OfferedApp | undefined> => {
  const { rows } = await sql<OfferedApp>`select content_id as "contentId", size, sha_256 as "sha256", icon,
    app_name as "appName", package_name as "packageName", version, version_code::text as "versionCode", signers,
    min_sdk as "minSdk", permissions, app_cate as "appCate", description from app_package where id = ${id}`.execute(db)
  return rows[0]
}

export interface KeptFile {
  readonly contentId: number
  readonly name: string
  readonly version: string
  readonly packageName: string
  readonly departmentId: number
}

export const findKept = async (db: Db, id: number): Promise<KeptFile | undefined> => {
  const { rows } = await sql<KeptFile>`select content_id as "contentId", app_name as name, version,
    package_name as "packageName", department_id as "departmentId" from app_package where id = ${id}`.execute(db)
  return rows[0]
}

/** Who submitted it, and when; a review of before is forgotten with its reason. */
export const noteSubmission = (tx: Db, id: number, userId: number) =>
  sql`update app_package set submitter_id = ${userId}, submit_time = now(), reviewer_id = null, review_time = null,
    store_reason = null where id = ${id}`.execute(tx)

export const noteReview = (tx: Db, id: number, userId: number, reason: string | null) =>
  sql`update app_package set reviewer_id = ${userId}, review_time = now(), store_reason = ${reason} where id = ${id}`.execute(
    tx,
  )

export const noteReason = (tx: Db, id: number, reason: string) =>
  sql`update app_package set store_reason = ${reason} where id = ${id}`.execute(tx)

interface Fetched {
  readonly app: KeptFile
  readonly userId: number
  readonly departmentId: number
}

export const insertDownload = (tx: Db, { app, userId, departmentId }: Fetched) =>
  sql`insert into app_download (time, app_name, package_name, version, user_id, result, department_id)
    values (now(), ${app.name}, ${app.packageName}, ${app.version}, ${userId}, 'success', ${departmentId})`.execute(tx)

/** What a device told of the file of an app it was to fetch: that it has it, or why not. */
export interface FetchedByDevice {
  readonly device: { readonly id: number | null; readonly sn: string; readonly departmentId: number }
  readonly reason: string | null
}
export const insertDeviceDownloads = (
  tx: Db,
  app: { readonly name: string; readonly packageName: string; readonly version: string },
  fetched: readonly FetchedByDevice[],
) =>
  sql`insert into app_download (time, app_name, package_name, version, device_id, sn, department_id, result, reason)
    select now(), ${app.name}, ${app.packageName}, ${app.version}, f.id, f.sn, f.department_id,
      case when f.reason is null then 'success' else 'failure' end, f.reason
    from unnest(${fetched.map(({ device }) => device.id)}::bigint[], ${fetched.map(({ device }) => device.sn)}::text[],
      ${fetched.map(({ device }) => device.departmentId)}::bigint[], ${fetched.map(({ reason }) => reason)}::text[])
      f(id, sn, department_id, reason)`.execute(tx)

/** A release that goes on tells devices where to fetch the app. */
export const isBeingReleased = async (db: Db, ids: readonly number[]): Promise<boolean> => {
  const { rows } = await sql`select from release where kind = 'app' and item_id = any(${ids}) and state <> 'ended'
    limit 1`.execute(db)
  return rows.length > 0
}
