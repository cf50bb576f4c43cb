import { customResource, resourceErrors } from '@campanile/contract'
import { sql } from 'kysely'
import type { Scope } from '../../kit/actor.ts'
import { plainTable } from '../../kit/plain.ts'
import { inScope } from '../../kit/scope.ts'
import { source } from '../../kit/table.ts'
import type { Db } from '../../platform/db.ts'

export const customResources = plainTable(customResource, {
  constraints: { custom_resource_name: resourceErrors.nameExists },
})

export interface FileOfResource {
  readonly contentId: number
  readonly fileName: string
}
export const findFile = async (db: Db, scope: Scope, id: number): Promise<FileOfResource | undefined> =>
  (
    await sql<FileOfResource>`select t.content_id as "contentId", t.file_name as "fileName"
      from ${source(customResources)} where t.id = ${id} and ${inScope(customResources, scope)}`.execute(db)
  ).rows[0]

export const setContent = (db: Db, id: number, contentId: number) =>
  sql`update custom_resource set content_id = ${contentId} where id = ${id}`.execute(db)
