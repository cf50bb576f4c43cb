import { type FoundKind, type FoundRow, foundBy, foundCountMax, foundRowsMax, type Resource } from '@campanile/contract'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../platform/db.ts'
import type { Scope } from './actor.ts'
import { containing } from './kinds.ts'
import { filterCondition } from './list/query.ts'
import { inScope, reaches } from './scope.ts'
import { column, columnOf, listSelection, searchedAlone, searchedFor, source, type Table } from './table.ts'

interface Hit {
  readonly id: number
  readonly field: string
  readonly value: string
}

/** Serial numbers, addresses and numbers of phones hold no other letters. */
const isPlain = (kind: string | undefined) => kind === 'mono' || kind === 'mobile'
const isAscii = (text: string) => /^[\x20-\x7e]*$/.test(text)

const fieldsFor = (resource: Resource, wanted: string) =>
  foundBy(resource).filter((name) => isAscii(wanted) || !isPlain(resource.fields[name]?.kind))

/** More are not asked for by their numbers: the statement would be longer than what it finds. */
const departmentsMax = 2000

/**
 * So few departments are told to the planner one by one: it then knows how few rows there are and goes by their index. Of
 * many it would weigh each against what it knows of the column, once for every field, and that takes longer than finding.
 */
const namedMax = 16

/**
 * The departments of a scope by their numbers, beside the scope itself: of paths the planner can only guess. Nothing where
 * a scope reaches everything, or too many.
 */
const departmentsOf = async (db: Db, scope: Scope): Promise<Departments> => {
  if (scope.everything) return undefined
  const { rows } = await sql<{ id: number }>`select id from department where ${reaches(scope, sql`path`)}
    limit ${departmentsMax + 1}`.execute(db)
  return rows.length > departmentsMax ? undefined : rows.map(({ id }) => id)
}
type Departments = readonly number[] | undefined

/** Asked for once in a search: its kinds mostly share a scope, and comparing paths is what takes time where there are many. */
export const createReach = (db: Db) => {
  const asked = new Map<string, Promise<Departments>>()
  return (scope: Scope): Promise<Departments> => {
    const key = scope.everything ? '' : scope.paths.join(' ')
    const found = asked.get(key) ?? departmentsOf(db, scope)
    asked.set(key, found)
    return found
  }
}
export type Reach = ReturnType<typeof createReach>

/** Of many, a hash is made once a statement and looked into; said this way, so that it never becomes a join. */
const standsIn = (department: RawBuilder<unknown>, departments: readonly number[]): RawBuilder<SqlBool> =>
  departments.length > namedMax
    ? sql`(${department} in (select id from reached)) is true`
    : sql`${department} = any(${departments})`

const isByDepartment = ({ path, reach, resource }: Table) =>
  path !== undefined && !reach && resource.scope === 'organisation' && 'departmentId' in resource.fields

/** The rows a scope reaches: by the numbers of its departments where they are known, else by their paths. */
const reachedBy = (
  table: Table,
  scope: Scope,
  departments: Departments,
  department = columnOf('departmentId') as RawBuilder<unknown>,
): RawBuilder<SqlBool> => {
  if (!departments || !isByDepartment(table)) return inScope(table, scope)
  return sql`${standsIn(department, departments)} and ${table.visible ? table.visible(scope) : sql`true`}`
}

/** Shorter than three letters, it is looked for by its letters where there is an index of them: one of parts knows nothing of it. */
const holds = (table: Table, scope: Scope, name: string, wanted: string): RawBuilder<SqlBool> => {
  const condition = filterCondition(table, scope, name, wanted)
  if (!table.byLetters.includes(name) || [...wanted].length > 2) return condition
  const apart = wanted.replace(/\P{ASCII}/gu, ' $& ')
  return sql`letters_apart(${column(table, name, scope)}) ilike ${containing(apart)} and ${condition}`
}

/** As many rows as are counted, of each field on its own: what is found in one table need not wait for another. */
const findHits = async (db: Db, table: Table, scope: Scope, wanted: string, reach: Reach): Promise<Hit[]> => {
  const departments = await reach(scope)
  const asksDepartmentOnly = !table.visible && isByDepartment(table) && (scope.everything || departments !== undefined)
  const parts = fieldsFor(table.resource, wanted).map((name) => {
    // Joins that nothing is asked of are left out here: PostgreSQL would plan the fence of each before it finds that out.
    const { from, id, department } = asksDepartmentOnly ? searchedAlone(table, name) : searchedFor(table, [name])
    const reached = reachedBy(table, scope, departments, department)
    const held = sql`(${column(table, name, scope)})::text`
    const found = sql`select ${id} as id, ${sql.lit(name)}::text as field, ${held} as value from ${from} where`
    const part = sql`(${found} ${holds(table, scope, name, wanted)} and ${reached}
      limit ${foundCountMax + 1})`
    if (table.filters[name]) return part
    // What it is exactly comes first, however many hold it as a part.
    return sql`(${found} ${column(table, name, scope)} = ${wanted} and ${reached} limit ${foundRowsMax})
      union all ${part}`
  })
  if (parts.length === 0) return []
  const { rows } = await sql<Hit>`with reached as (select unnest(${departments ?? []}::bigint[]) as id)
    ${sql.join(parts, sql` union all `)}`.execute(db)
  return rows
}

/** The whole text first, then what begins with it; equal ones in the order people sort them. */
const rankOf = (value: string, wanted: string) => {
  const at = value.toLowerCase().indexOf(wanted)
  return at === 0 ? (value.length === wanted.length ? 0 : 1) : 2
}

const bestFirst = (hits: readonly Hit[], wanted: string): Hit[] => {
  const lower = wanted.toLowerCase()
  const ranked = hits.map((hit) => ({ hit, rank: rankOf(hit.value, lower) }))
  return ranked
    .sort(
      (a, b) =>
        a.rank - b.rank || (a.hit.value < b.hit.value ? -1 : a.hit.value > b.hit.value ? 1 : a.hit.id - b.hit.id),
    )
    .map(({ hit }) => hit)
}

const onceEach = <T>(items: readonly T[], keyOf: (item: T) => unknown): T[] =>
  [...new Map([...items].reverse().map((item) => [keyOf(item), item])).values()].reverse()

/** Rows of one kind that hold this in one of the texts they are found by, within a scope; nothing where there are none. */
export const findKind = async (
  db: Db,
  table: Table,
  scope: Scope,
  wanted: string,
  reach: Reach,
): Promise<FoundKind | undefined> => {
  const hits = onceEach(await findHits(db, table, scope, wanted, reach), ({ id, field }) => `${id} ${field}`)
  if (hits.length === 0) return undefined
  const found = onceEach(bestFirst(hits, wanted), ({ id }) => id)
  const shown = found.slice(0, foundRowsMax)
  const { resource } = table
  const names = [...new Set([resource.identity, ...(resource.palette?.tells ?? [])])]
  const { rows } = await sql<Readonly<Record<string, unknown>>>`select ${listSelection(table, scope, names)}
    from ${source(table)} where t.id = any(${shown.map(({ id }) => id)}) and ${inScope(table, scope)}`.execute(db)
  const byId = new Map(rows.map((row) => [Number(row.id), row]))
  const counted = (total: number) => Math.min(total, foundCountMax)
  return {
    kind: resource.name,
    total: counted(found.length),
    more: found.length > foundCountMax,
    fields: foundBy(resource)
      .map((field) => ({ field, total: counted(hits.filter((hit) => hit.field === field).length) }))
      .filter(({ total }) => total > 0),
    rows: shown.flatMap(({ id, field, value }): FoundRow[] => {
      const row = byId.get(id)
      if (!row) return []
      const tells = Object.fromEntries((resource.palette?.tells ?? []).map((name) => [name, row[name] ?? null]))
      return [{ id, name: String(row[resource.identity] ?? `#${id}`), field, value, tells: tells as FoundRow['tells'] }]
    }),
  }
}
