import { type RowNaming, rowsNamedBy } from '@campanile/contract'
import { sql } from 'kysely'
import type { z } from 'zod'
import { isUnder, type Place } from './actor.ts'
import type { Call, Note } from './call.ts'
import { ownerPath } from './department.ts'
import { inScope } from './scope.ts'
import { column, source, type Table, tableNamed } from './table.ts'

type Caller = Pick<Call, 'actor' | 'db' | 'scope'>
type Found = Pick<Place, 'id' | 'name' | 'path'>

/** The enterprises these rows belong to: none, one, or two that stand for several. */
const findOwners = async (
  { db, scope }: Caller,
  table: Table,
  names: readonly unknown[],
  by: RowNaming['by'],
): Promise<Found[]> => {
  if (!table.path || names.length === 0) return []
  const named =
    by === 'id'
      ? sql`t.id = any(${names})`
      : sql`(${column(table, table.resource.identity, scope)})::text = any(${names})`
  const { rows } = await sql<Found>`select distinct o.id, o.name, o.path::text as path
    from ${source(table)} join department o on o.path = ${ownerPath(table.path)}
    where ${named} and ${inScope(table, scope)} limit 2`.execute(db)
  return rows
}

/**
 * Whose rows are touched, for the operation log: who reads or changes an enterprise's rows from above without having entered
 * it leaves the line there. Rows of several enterprises leave it with the one who acts, so that none of them reads of the
 * others, and so does a list, which names no row.
 */
const placeAmong = ({ actor }: Caller, owners: readonly Found[]): Note => {
  const [place] = owners
  const several = owners.some(({ id }) => id !== place?.id)
  return !place || several || isUnder(actor.department.path, place.path) ? {} : { place }
}

export const findPlace = async (call: Caller, table: Table, ids: readonly number[]): Promise<Note> =>
  call.actor.operating ? {} : placeAmong(call, await findOwners(call, table, ids, 'id'))

/** The same for an endpoint, whose input says which rows it names (`idOf`, `idInQuery`, `named`). */
export const placeFinder = (input: z.ZodType) => {
  const namings = rowsNamedBy(input)
  return async (call: Caller & { readonly input: unknown }): Promise<Note> => {
    if (call.actor.operating) return {}
    const given = call.input as Readonly<Record<string, unknown>>
    const owners: Found[] = []
    for (const { key, of, by } of namings) {
      const table = tableNamed(of())
      const names = [given[key] ?? []].flat()
      if (table) owners.push(...(await findOwners(call, table, names, by)))
    }
    return placeAmong(call, owners)
  }
}
