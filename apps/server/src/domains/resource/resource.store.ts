import { customResource, resourceErrors } from '@campanile/contract'
import { type SqlBool, sql } from 'kysely'
import type { Scope } from '../../kit/actor.ts'
import { plainTable } from '../../kit/plain.ts'
import { inScope } from '../../kit/scope.ts'
import { source } from '../../kit/table.ts'
import type { Db } from '../../platform/db.ts'
import type { ReleaseItem } from '../release/index.ts'

export const customResources = plainTable(customResource, {
  constraints: { custom_resource_name: resourceErrors.nameExists },
})

export interface FileOfResource {
  readonly contentId: number
  readonly fileName: string
}
/** What goes to devices of it. */
export interface ReleasedResource extends ReleaseItem {
  readonly bytes: number
  readonly contentId: number
  readonly fileName: string
  readonly sha256: string
}
export const findItem = async (db: Db, scope: Scope | undefined, id: number): Promise<ReleasedResource | undefined> => {
  const reached = scope ? inScope(customResources, scope) : sql<SqlBool>`true`
  return (
    await sql<ReleasedResource>`select t.id, t.name, null as version, t.size as bytes, t.content_id as "contentId",
        t.file_name as "fileName", t.sha_256 as sha256
      from ${source(customResources)} where t.id = ${id} and ${reached}`.execute(db)
  ).rows[0]
}

/** Devices are still to get it. */
export const isInRelease = async (db: Db, ids: readonly number[]): Promise<boolean> =>
  (
    await sql`select from release where kind = 'resource' and item_id = any(${ids}) and state <> 'ended' limit 1`.execute(
      db,
    )
  ).rows.length > 0

export const findFile = async (db: Db, scope: Scope, id: number): Promise<FileOfResource | undefined> =>
  (
    await sql<FileOfResource>`select t.content_id as "contentId", t.file_name as "fileName"
      from ${source(customResources)} where t.id = ${id} and ${inScope(customResources, scope)}`.execute(db)
  ).rows[0]

export const setContent = (db: Db, id: number, contentId: number) =>
  sql`update custom_resource set content_id = ${contentId} where id = ${id}`.execute(db)
