import type { OrganisationType } from '@campanile/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import { nextId } from './organisation.store.ts'

export interface Seedling {
  readonly name: string
  readonly type: OrganisationType
  /** Null for the installation's own root. */
  readonly parentId: number | null
  /** Stored columns beside the place, by their names in the table. */
  readonly also?: Readonly<Record<string, unknown>>
}

/** Puts a department where the caller says, for the first start: nobody is asking, so nobody's rights are checked. */
export const plantDepartment = async (db: Db, { name, type, parentId, also = {} }: Seedling): Promise<number> => {
  const id = await nextId(db)
  const names = Object.keys(also)
  await sql`insert into department (${sql.join(['id', 'parent_id', 'name', 'type', 'path', ...names].map((column) => sql.ref(column)))})
    values (${sql.join([
      sql`${id}`,
      sql`${parentId}`,
      sql`${name}`,
      sql`${type}`,
      sql`coalesce((select path from department where id = ${parentId}), '')::ltree || ${String(id)}::ltree`,
      ...names.map((column) => sql`${also[column]}`),
    ])})`.execute(db)
  return id
}

export const findRoot = async (db: Db): Promise<number | undefined> => {
  const { rows } = await sql<{
    id: number
  }>`select id from department where parent_id is null order by id limit 1`.execute(db)
  return rows[0]?.id
}
