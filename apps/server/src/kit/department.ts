import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { storedName } from './table.ts'

/** Everything below and including these departments. */
const under = (path: RawBuilder<unknown>, ids: readonly number[]): RawBuilder<SqlBool> =>
  sql`${path} <@ any(array(select chosen.path from department chosen where chosen.id = any(${ids})))`

/**
 * What a table needs whose rows belong to a department: the join, the name to show, the path its scope is checked by
 * and a filter that means the whole subtree. A LEFT JOIN, so that a count that asks nothing of it does without it.
 */
export const ofDepartment = (column = 'departmentId') => {
  const path = sql`d.path`
  return {
    joins: sql`left join department d on d.id = ${sql.ref(`t.${storedName(column)}`)}`,
    columns: { departmentName: sql`d.name` },
    path,
    filters: { [column]: (ids: readonly number[]) => under(path, ids) },
  }
}
