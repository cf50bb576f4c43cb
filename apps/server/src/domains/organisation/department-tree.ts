import type { DepartmentNode, PathStep } from '@campanile/contract'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { covers, type Scope } from '../../kit/actor.ts'
import { reaches } from '../../kit/scope.ts'
import type { Db } from '../../platform/db.ts'
import { findSpot } from './organisation.store.ts'
import { heldBelow } from './organisation.table.ts'

/** A search that hits more than people read is a search for something longer. */
const mostHits = 100

const containing = (keyword: string) => `%${keyword.replace(/[\\%_]/g, '\\$&')}%`

/** The way to a department from the top the caller sees; nothing above it, not even a name. */
const way = (path: RawBuilder<unknown>, scope: Scope) => sql`(select coalesce(
    json_agg(json_build_object('id', step.id, 'name', step.name) order by nlevel(step.path)), '[]')
  from department step
  where step.id = any(string_to_array(${path}::text, '.')::bigint[]) and ${reaches(scope, sql`step.path`)})`

const select = async (
  db: Db,
  scope: Scope,
  where: RawBuilder<SqlBool>,
  tail = sql`order by t.name, t.id`,
): Promise<DepartmentNode[]> => {
  const { rows } = await sql<DepartmentNode>`
    select t.id, t.name, t.type,
      case when ${reaches(scope, sql`p.path`)} then t.parent_id end as "parentId",
      ${way(sql`t.path`, scope)} as path,
      (select count(*) from department child where child.parent_id = t.id) as "childCount",
      ${heldBelow.deviceCount(scope)} as "deviceCount", ${heldBelow.personCount(scope)} as "personCount"
    from department t left join department p on p.id = t.parent_id
    where ${where} ${tail}`.execute(db)
  return rows
}

export const findNodes = (db: Db, scope: Scope, ids: readonly number[]) =>
  select(db, scope, sql`t.id = any(${ids}) and ${reaches(scope, sql`t.path`)}`)

const tops = (db: Db, scope: Scope) => select(db, scope, sql`t.path = any(${scope.paths}::ltree[])`)

const search = (db: Db, scope: Scope, keyword: string) =>
  select(
    db,
    scope,
    sql`t.name ilike ${containing(keyword)} and ${reaches(scope, sql`t.path`)}`,
    sql`order by length(t.name), t.name, t.id limit ${mostHits}`,
  )

/** One level; the way to it is the same for all. */
export const childNodes = async (
  db: Db,
  scope: Scope,
  parentId: number,
  limit: number | null = null,
): Promise<DepartmentNode[]> => {
  const parent = await findSpot(db, scope, parentId)
  if (!parent || !covers(scope, parent.path)) return []
  const { rows } = await sql<Omit<DepartmentNode, 'path'>>`
    select t.id, t.name, t.type, t.parent_id as "parentId",
      (select count(*) from department child where child.parent_id = t.id) as "childCount",
      ${heldBelow.deviceCount(scope)} as "deviceCount", ${heldBelow.personCount(scope)} as "personCount"
    from department t where t.parent_id = ${parentId} order by t.name, t.id limit ${limit}`.execute(db)
  const above = await sql<{ way: PathStep[] }>`select ${way(sql`${parent.path}`, scope)} as way`.execute(db)
  const steps = above.rows[0]?.way ?? []
  return rows.map((row) => ({ ...row, path: [...steps, { id: row.id, name: row.name }] }))
}

interface TreeQuery {
  readonly parentId?: number | undefined
  readonly keyword?: string | undefined
  readonly ids?: readonly number[] | undefined
}

export const askTree = (db: Db, scope: Scope, { parentId, keyword, ids }: TreeQuery): Promise<DepartmentNode[]> => {
  if (ids) return findNodes(db, scope, ids)
  if (keyword) return search(db, scope, keyword)
  return parentId === undefined ? tops(db, scope) : childNodes(db, scope, parentId)
}
