import { isHead, organisationType } from '@campanile/contract'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Scope } from './actor.ts'
import { reaches } from './scope.ts'
import { storedName } from './table.ts'

/**
 * In or below these departments. Asked by number and not by path: the planner knows how many rows a department has and goes
 * by the index, where of paths it can only guess.
 */
const under = (department: RawBuilder<unknown>, ids: readonly number[]): RawBuilder<SqlBool> =>
  sql`${department} = any(array(select below.id from department chosen join department below
    on below.path <@ chosen.path where chosen.id = any(${ids})))`

/**
 * What a table needs whose rows belong to a department: the join, the name to show, the path its scope is checked by
 * and a filter that means the whole subtree. A LEFT JOIN, so that a count that asks nothing of it does without it.
 */
export const ofDepartment = (column = 'departmentId') => {
  const path = sql`d.path`
  const department = sql.ref(`t.${storedName(column)}`)
  return {
    joins: sql`left join department d on d.id = ${department}`,
    columns: { departmentName: sql`d.name` },
    path,
    filters: { [column]: (ids: readonly number[]) => under(department, ids) },
  }
}

/** How many of a kind stand in the subtree of a department; `department_below` is kept by triggers (see its migration). */
export const countUnder = (kind: string, id: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`(select coalesce(sum(below.total), 0)::bigint from department_below below
    where below.kind = ${sql.lit(kind)} and below.department_id = ${id})`

/**
 * The same for whoever may list them there, by the permission of their list: a figure tells of rows as a list does. Where
 * nobody in particular asks, for everybody.
 */
export const countListable =
  (
    kind: string,
    { id, path }: { readonly id: RawBuilder<unknown>; readonly path: RawBuilder<unknown> },
    perm: string,
  ) =>
  (scope: Scope): RawBuilder<number | null> => {
    const listing = scope.by ? scope.by(perm) : scope
    if (!listing) return sql<null>`null::bigint`
    return sql<number | null>`case when ${reaches(listing, path)} then ${countUnder(kind, id)} end`
  }

/** Of the department that a path ends with. */
export const idOfPath = (path: string) => Number(path.split('.').at(-1))

/** How many of a kind a scope reaches. None of its paths lies below another, so nothing is counted twice. */
export const countReached = (kind: string) => (scope: Scope) => countUnder(kind, sql`any(${scope.paths.map(idOfPath)})`)

const headTypes = Object.values(organisationType).filter(isHead)

/** The departments above a path and the one it ends with: a path names them, so that no index of paths has to be searched. */
const namedIn = (path: RawBuilder<unknown>) => sql`any(string_to_array((${path})::text, '.')::bigint[])`

/** Path of the enterprise whose tree a department stands in; where there is none above it, of the nearest school or SI. */
export const ownerPath = (path: RawBuilder<unknown>) => sql`(select above.path from department above
  where above.id = ${namedIn(path)} and above.type = any(${headTypes})
  order by above.type = ${organisationType.enterprise} desc, nlevel(above.path) desc limit 1)`
