import type { DepartmentNode } from '@campanile/contract'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Scope } from '../../kit/actor.ts'
import type { Db } from '../../platform/db.ts'
import { countUnder, type Occupant } from './occupants.ts'

/** A search that hits more than people read is a search for something longer. */
const mostHits = 100

const reached = (path: RawBuilder<unknown>, scope: Scope): RawBuilder<SqlBool> =>
  scope.everything ? sql`true` : sql`${path} <@ any(${scope.paths}::ltree[])`

const containing = (keyword: string) => `%${keyword.replace(/[\\%_]/g, '\\$&')}%`

interface TreeQuery {
  readonly parentId?: number | undefined
  readonly keyword?: string | undefined
  readonly ids?: readonly number[] | undefined
}

/** Nodes of the tree as one caller sees it: nothing above the tops their roles reach, not even a name. */
export const createDepartmentTree = (occupants: readonly Occupant[]) => {
  const select = async (db: Db, scope: Scope, where: RawBuilder<SqlBool>, tail = sql`order by t.name, t.id`) => {
    const { rows } = await sql<DepartmentNode>`
      select t.id, t.name, t.type,
        case when ${reached(sql`p.path`, scope)} then t.parent_id end as "parentId",
        (select coalesce(json_agg(json_build_object('id', step.id, 'name', step.name) order by nlevel(step.path)), '[]')
          from department step
          where step.id = any(string_to_array(t.path::text, '.')::bigint[]) and ${reached(sql`step.path`, scope)}) as path,
        (select count(*) from department child where child.parent_id = t.id) as "childCount",
        ${countUnder(occupants, 'device', sql`t.path`)} as "deviceCount",
        ${countUnder(occupants, 'person', sql`t.path`)} as "personCount"
      from department t left join department p on p.id = t.parent_id
      where ${where} ${tail}`.execute(db)
    return rows
  }

  const tops = (db: Db, scope: Scope) => select(db, scope, sql`t.path = any(${scope.paths}::ltree[])`)

  const children = (db: Db, scope: Scope, parentId: number) =>
    select(db, scope, sql`t.parent_id = ${parentId} and ${reached(sql`p.path`, scope)}`)

  const search = (db: Db, scope: Scope, keyword: string) =>
    select(
      db,
      scope,
      sql`t.name ilike ${containing(keyword)} and ${reached(sql`t.path`, scope)}`,
      sql`order by length(t.name), t.name, t.id limit ${mostHits}`,
    )

  const byIds = (db: Db, scope: Scope, ids: readonly number[]) =>
    select(db, scope, sql`t.id = any(${ids}) and ${reached(sql`t.path`, scope)}`)

  const ask = (db: Db, scope: Scope, { parentId, keyword, ids }: TreeQuery) => {
    if (ids) return byIds(db, scope, ids)
    if (keyword) return search(db, scope, keyword)
    return parentId === undefined ? tops(db, scope) : children(db, scope, parentId)
  }

  return { ask, children, byIds }
}
