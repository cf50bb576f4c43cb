import { exportFile } from '@campanile/contract'
import { sql } from 'kysely'
import type { Scope } from '../../kit/actor.ts'
import { inScope, reaches } from '../../kit/scope.ts'
import { bindTable, source } from '../../kit/table.ts'
import type { Db } from '../../platform/db.ts'
import type { StoredFile } from '../../platform/files.ts'

export const exportFiles = bindTable(exportFile, {
  name: 'export_file',
  joins: sql`left join sys_user creator on creator.id = t.creator_id join department d on d.id = t.department_id`,
  columns: { creatorName: sql`creator.real_name` },
  path: sql`d.path`,
  // An export holds what its maker may see, so nobody else sees it, however high they stand.
  reach: (scope) => sql`(t.creator_id = ${scope.actorId} or not t.private and ${reaches(scope, sql`d.path`)})`,
})

export interface StoredAs {
  id: number
  name: string
  state: string
  storedAs: string | null
  size: number | null
}

const columns = sql`t.id, t.name, t.state, t.stored_as as "storedAs", t.size`

export const findFile = async (db: Db, scope: Scope, id: number): Promise<StoredAs | undefined> => {
  const { rows } = await sql<StoredAs>`select ${columns} from ${source(exportFiles)}
    where t.id = ${id} and ${inScope(exportFiles, scope)}`.execute(db)
  return rows[0]
}

/** Locked, so that a job that is about to finish one of them waits and then finds it gone. */
export const lockFiles = async (db: Db, scope: Scope, ids: readonly number[]): Promise<StoredAs[]> => {
  const { rows } = await sql<StoredAs>`select ${columns} from ${source(exportFiles)}
    where t.id = any(${ids}) and ${inScope(exportFiles, scope)} order by t.id for update of t`.execute(db)
  return rows
}

/** A few at a time; the caller asks again while there are any. */
export const takeExpired = async (db: Db): Promise<StoredAs[]> => {
  const { rows } = await sql<StoredAs>`delete from export_file t where t.id in (
      select id from export_file where expire_time < now() order by id limit 100 for update skip locked)
    returning ${columns}`.execute(db)
  return rows
}

export interface DeviceFile {
  readonly name: string
  readonly type: 'deviceLog' | 'screenshot'
  readonly sn: string
  readonly departmentId: number
  /** Whoever asked the device for it. */
  readonly creatorId: number | null
  readonly keepDays: number
  readonly stored: StoredFile
}
/** What a device sent: everybody who sees files of its department sees it. */
export const insertDeviceFile = async (db: Db, file: DeviceFile): Promise<number> => {
  const { name, type, sn, departmentId, creatorId, keepDays, stored } = file
  const { rows } = await sql<{ id: number }>`insert into export_file
      (name, type, sn, state, progress, size, stored_as, sha256, department_id, creator_id, private, expire_time)
    values (${name}, ${type}, ${sn}, 'complete', 100, ${stored.size}, ${stored.key}, ${stored.sha256}, ${departmentId},
      ${creatorId}, false, now() + ${keepDays} * interval '1 day') returning id`.execute(db)
  return rows[0]?.id as number
}
