import { organisationType, type RowNaming, rowsNamedBy } from '@campanile/contract'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../platform/db.ts'
import { plannedOnce } from '../platform/planned-once.ts'
import { type Actor, isUnder, type Place, type Scope } from './actor.ts'
import type { Call, Note, Touched, TouchedRows } from './call.ts'
import { ownerPath } from './department.ts'
import { inScope } from './scope.ts'
import { column, source, type Table, tableNamed } from './table.ts'

type Owner = Pick<Place, 'id' | 'name' | 'path'>
type Who = Pick<Actor, 'department' | 'operating'>

const homeOf = ({ operating, department }: Who) => operating ?? department

/** The enterprises, schools and SIs that rows at these paths belong to. */
export const findOwners = async (db: Db, paths: readonly string[]): Promise<ReadonlyMap<string, Owner>> => {
  const { rows } = await sql<Owner & { at: string }>`${plannedOnce} select p.at, o.id, o.name, o.path::text as path
    from unnest(${[...new Set(paths)]}::text[]) p(at) join department o on o.path = ${ownerPath(sql`p.at::ltree`)}`.execute(
    db,
  )
  return new Map(rows.map(({ at, ...owner }) => [at, owner]))
}

/** Whoever belongs to an owner, or has entered it, leaves lines where they are. */
export const isHome = (who: Who, owner: Owner | undefined) => !owner || isUnder(homeOf(who).path, owner.path)

/** Nobody else's rows are in reach: no enterprise stands below another. */
export const reachesHomeOnly = (who: Who, scope: Scope) => {
  const home = homeOf(who)
  return home.type === organisationType.enterprise && scope.paths.every((path) => isUnder(path, home.path))
}

/**
 * What the operation log is told, once for each enterprise whose rows were touched: the line of a call lies where its rows
 * lie, whether or not who called has entered there. Where they lie in several, each reads of its own rows only.
 */
export const notesByPlace = async (
  db: Db,
  who: Who | null,
  note: Note,
  touched: readonly TouchedRows[],
): Promise<Note[]> => {
  const rows = touched.flatMap((each) => each.rows)
  if (!who || rows.length === 0) return [note]
  const owners = await findOwners(
    db,
    rows.map(({ path }) => path),
  )
  const placeOf = ({ path }: Touched) => (isHome(who, owners.get(path)) ? undefined : owners.get(path))
  const places = new Map(rows.map((row) => [placeOf(row)?.id, placeOf(row)]))
  return [...places.values()].map((place) => {
    const own = touched.map(({ rows: all, tell }) => ({
      names: all.filter((row) => placeOf(row)?.id === place?.id).map(({ name }) => name),
      tell,
    }))
    const here = own.filter(({ names }) => names.length > 0)
    const { description: _names, before: _before, after: _after, ...kept } = note
    const alone = places.size === 1
    const named = [...new Set(here.flatMap(({ names }) => names))].join(', ')
    return Object.assign(
      alone ? { ...note } : { ...kept, description: named },
      ...here.map(({ names, tell }) => tell?.(names)),
      place && { place },
    ) as Note
  })
}

/** Of a list that shows rows of several enterprises, each reads how many of its own were shown. */
export const shownOf =
  (shown: number): TouchedRows['tell'] =>
  (names) =>
    names.length < shown ? { description: String(names.length) } : {}

type Touching = Pick<Call, 'actor' | 'db' | 'scope' | 'touched'>

/** Tells a call that it touches these rows of a table; those out of reach are left out. */
export const touchRows = async (
  { actor, db, scope, touched }: Touching,
  table: Table,
  names: readonly unknown[],
  tell?: TouchedRows['tell'],
  by: RowNaming['by'] = 'id',
): Promise<void> => {
  if (!table.path || names.length === 0 || reachesHomeOnly(actor, scope)) return
  const identity = sql`(${column(table, table.resource.identity, scope)})::text`
  const named = by === 'id' ? sql`t.id = any(${names})` : sql`${identity} = any(${names})`
  const { rows } =
    await sql<Touched>`${plannedOnce} select (${table.path})::text as path, coalesce(${identity}, '#' || t.id) as name
    from ${source(table)} where ${named} and ${inScope(table, scope)} and ${table.path} is not null`.execute(db)
  if (rows.length > 0) touched(rows, tell)
}

/** The same for an endpoint, whose input says which rows it names (`idOf`, `idInQuery`, `named`). */
export const touchesNamed = (input: z.ZodType) => {
  const namings = rowsNamedBy(input)
  return async (call: Touching & { readonly input: unknown }): Promise<void> => {
    const given = call.input as Readonly<Record<string, unknown>>
    for (const { key, of, by } of namings) {
      const table = tableNamed(of())
      if (table) await touchRows(call, table, [given[key] ?? []].flat(), undefined, by)
    }
  }
}
