import { AppError, commonErrors, device, filterShape } from '@campanile/contract'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { z } from 'zod'
import type { Scope } from '../../kit/actor.ts'
import { fromZod } from '../../kit/answer.ts'
import { matching } from '../../kit/list/query.ts'
import { reaches } from '../../kit/scope.ts'
import type { Table } from '../../kit/table.ts'
import type { Db } from '../../platform/db.ts'

export type SavedFilter = Readonly<Record<string, unknown>>

/** A body may say `[1]` and `true` where a query can only say `'1'` and `'true'`; the query's word is kept. */
const asQuery = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(asQuery)
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
}

/** The device list's own query as it is kept: whatever is no filter of that list is refused. */
export const savedFilter = (filter: SavedFilter): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(filter)
      .filter(([, value]) => value !== undefined && value !== null && value !== '')
      .map(([name, value]) => [name, asQuery(value)]),
  )

/** The same, ready to be asked with. */
export const readFilter = (filter: SavedFilter): Record<string, unknown> => {
  const { data, error } = z.strictObject(filterShape(device)).safeParse(savedFilter(filter))
  if (data) return data
  const { code, status, field: name = '', data: told } = fromZod(error, filter)
  const field = `filter.${name}`
  throw new AppError({ code, status, field }, { ...told, field })
}

/** A filter that is itself a group cannot lean on a group: nobody could tell where that ends. */
export const dynamicFilter = (filter: SavedFilter): Record<string, unknown> => {
  const { groupId } = readFilter(filter)
  if (groupId !== undefined)
    throw new AppError({ ...commonErrors.wrongFormat, field: 'filter.groupId' }, { field: 'filter.groupId' })
  return savedFilter(filter)
}

interface Group {
  id: number
  kind: string
  device_type: number
  filter: SavedFilter | null
  path: string
}

/** Members of a dynamic group: its own department's devices of its type that match what was saved. */
const dynamicMembers = (table: Table, scope: Scope, { filter, device_type, path }: Group): RawBuilder<SqlBool> =>
  sql`t.device_type = ${device_type} and d.path <@ ${path}::ltree
    and ${matching(table, scope, readFilter(filter ?? {}))}`

const membersOf = (table: Table, scope: Scope, group: Group): RawBuilder<SqlBool> =>
  group.kind === 'dynamic' ? dynamicMembers(table, scope, group) : sql`t.group_id = ${group.id}`

/** Devices of the registry's table of any of these groups, by hand or by filter; a group out of reach has none. */
export const memberOf = async (
  db: Db,
  table: Table,
  scope: Scope,
  groupIds: readonly number[],
): Promise<RawBuilder<SqlBool>> => {
  const { rows } = await sql<Group>`select g.id, g.kind, g.device_type, g.filter, d.path::text as path
    from device_group g join department d on d.id = g.department_id
    where g.id = any(${groupIds}) and ${reaches(scope, sql`d.path`)}`.execute(db)
  const each = rows.map((group) => sql<SqlBool>`(${membersOf(table, scope, group)})`)
  return each.length === 0 ? sql`false` : sql`(${sql.join(each, sql` or `)})`
}
