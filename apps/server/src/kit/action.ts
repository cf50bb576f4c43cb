import { type Action, AppError, type Chosen, commonErrors } from '@campanile/contract'
import { sql } from 'kysely'
import type { Db } from '../platform/db.ts'
import type { Scope } from './actor.ts'
import type { Call } from './call.ts'
import { matchingNow } from './list/query.ts'
import { inScope } from './scope.ts'
import { column, source, storedName, type Table } from './table.ts'

/** More rows than this are worked on in several transactions. */
const rowsMax = 10_000

/** Which rows are meant: those that were ticked, or everything that matches less what was unticked. */
export const chosenIds = async (
  db: Db,
  table: Table,
  scope: Scope,
  { ids, filters = {}, except }: Chosen,
): Promise<number[]> => {
  if (ids) return [...new Set(ids)]
  const where = await matchingNow(db, table, scope, { ...filters, ...(except && { except }) })
  const { rows } = await sql<{ id: number }>`select t.id from ${source(table)} where ${where} order by t.id
    limit ${rowsMax + 1}`.execute(db)
  if (rows.length > rowsMax) throw new AppError(commonErrors.tooMany, { limit: rowsMax })
  return rows.map(({ id }) => id)
}

/** The rows a delete names, by id or by the field the resource says; one that is not there is named. */
export const namedIds = async (
  db: Db,
  table: Table,
  scope: Scope,
  input: Readonly<Record<string, readonly (number | string)[] | undefined>>,
): Promise<number[]> => {
  const { idsKey, removeBy } = table.resource.wire
  const names = removeBy === undefined ? undefined : input[removeBy]
  if (removeBy === undefined || names === undefined) return [...new Set((input[idsKey] ?? []) as readonly number[])]
  const { rows } = await sql<{ id: number; name: string }>`
    select t.id, (${column(table, removeBy, scope)})::text as name from ${source(table)}
    where (${column(table, removeBy, scope)})::text = any(${names}) and ${inScope(table, scope)} order by t.id`.execute(
    db,
  )
  const missing = names.find((name) => !rows.some((row) => row.name === name))
  if (missing !== undefined) throw new AppError(commonErrors.resourceNotFound, { [removeBy]: missing })
  return rows.map(({ id }) => id)
}

/** Rows that an action works on, kept from changing until it is over. One that is out of reach does not exist. */
export const lockRows = async (db: Db, table: Table, scope: Scope, ids: readonly number[]) => {
  const { rows } = await sql<{ id: number; name: string }>`
    select t.id, (${column(table, table.resource.identity, scope)})::text as name from ${source(table)}
    where t.id = any(${ids}) and ${inScope(table, scope)} order by t.id for update of t`.execute(db)
  const missing = ids.find((id) => !rows.some((row) => row.id === id))
  if (missing !== undefined) throw new AppError(commonErrors.resourceNotFound, { id: missing })
  return rows
}

/**
 * Leads rows from one state to the next: all of them, or none and those that do not stand where the transition begins are
 * named. The table is the guard, so two who act at once cannot both have done it.
 */
export const moveRows = async (
  db: Db,
  table: Table,
  scope: Scope,
  { moves }: Pick<Action, 'moves'>,
  ids: readonly number[],
): Promise<string[]> => {
  if (!moves) throw new Error(`an action of ${table.resource.name} moves nothing`)
  const { machine, event, field, refusal = commonErrors.changedMeanwhile } = moves
  const rows = await lockRows(db, table, scope, ids)
  const state = sql.ref(storedName(field))
  const moved = await sql<{ id: number }>`update ${sql.table(table.name)} set ${state} = ${machine.next(event)}
    where id = any(${ids}) and ${state} = any(${machine.from(event)}) returning id`.execute(db)
  const refused = rows.filter(({ id }) => !moved.rows.some((each) => each.id === id)).map(({ name }) => name)
  if (refused.length > 0) throw new AppError(refusal, { names: refused.join(', ') })
  return rows.map(({ name }) => name)
}

/** The whole action, where leading rows to another state is all it does. */
export const moveAll = (table: Table, action: Action) => async (call: Call<unknown>) => {
  const { id, ids = id === undefined ? [] : [id] } = call.input as { id?: number; ids?: number[] }
  const names = await moveRows(call.db, table, call.scope, action, ids)
  call.note({ description: names.join(', ') })
  return { done: names.length }
}
