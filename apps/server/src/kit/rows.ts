import {
  AppError,
  commonErrors,
  conditionHolds,
  type ErrorSpec,
  type Field,
  type FileValue,
  filterShape,
  holdsFile,
  type ListQuery,
  type Resource,
  type Row,
  readableFields,
} from '@campanile/contract'
import { sql } from 'kysely'
import type { Db } from '../platform/db.ts'
import { toJsonb } from '../platform/jsonb.ts'
import { plannedOnce } from '../platform/planned-once.ts'
import type { Scope } from './actor.ts'
import type { Call } from './call.ts'
import { gatheredInOrder, inOrder, matchingNow } from './list/query.ts'
import { mustReachTargets } from './refs.ts'
import { inScope } from './scope.ts'
import { attachFiles } from './stored-file/attach.ts'
import { askedTable, column, listSelection, searchedFor, selection, source, storedName, type Table } from './table.ts'

type Values = Readonly<Record<string, unknown>>

const isSecret = (resource: Resource, name: string) => ['secret', 'masked'].includes(resource.fields[name]?.kind ?? '')

/** What the operation log may show of a row: secrets only as "there was one". */
export const loggable = (resource: Resource, values: Values) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, isSecret(resource, name) && value ? '***' : value]),
  )

export interface Page<R extends Resource> {
  rows: Row<R>[]
  total: number
}

/** So many rows are sorted sooner than an order is walked for them; PostgreSQL has to guess how many there are, we know. */
const gatherMax = 2_000

/** Which rows a page holds and how many there are in all: what an index in memory may answer instead (decision 0011). */
const findPage = async (db: Db, table: Table, scope: Scope, query: ListQuery) => {
  await table.beforeReading?.(db)
  const where = await matchingNow(db, table, scope, query)
  const filters = [...Object.keys(filterShape(table.resource)), 'ids'].filter((name) => query[name] !== undefined)
  const kept = filters.length === 0 ? table.counted?.(scope) : undefined
  const counting = kept ?? sql<number>`(select count(*) from ${searchedFor(table, filters).from} where ${where})`
  const counted = await sql<{ total: number }>`select ${counting} as total`.execute(db)
  const total = counted.rows[0]?.total ?? 0
  if (total === 0) return { ids: [], total }
  const sort = query.sort ?? table.resource.list.sort
  const searched = searchedFor(table, [...filters, sort.replace(/^-/, '')])
  const order = (total > gatherMax ? inOrder : gatheredInOrder)(table, scope, sort, searched, where)
  const found = await sql<{ id: number }>`${order} limit ${query.pageSize}
    offset ${(query.page - 1) * query.pageSize}`.execute(db)
  return { ids: found.rows.map(({ id }) => id), total }
}

/** One page and the exact total of what the caller may see. Rows are sorted as bare numbers and only then read whole. */
export const listRows = async <R extends Resource>(
  db: Db,
  kept: Table<R>,
  scope: Scope,
  query: ListQuery,
): Promise<Page<R>> => {
  const table = askedTable(kept, scope, query)
  const { ids, total } = await findPage(db, table, scope, query)
  if (ids.length === 0) return { rows: [], total }
  const { rows } = await sql<
    Row<R>
  >`${plannedOnce} select ${listSelection(table, scope, readableFields(table.resource))} from ${source(table)}
    where t.id = any(${ids}) and ${inScope(table, scope)} order by array_position(${ids}::bigint[], t.id)`.execute(db)
  return { rows: table.reveal ? ((await table.reveal(db, scope, rows)) as Row<R>[]) : rows, total }
}

/** The row, or "not found" when it does not exist or lies outside the scope: the two look the same from outside. */
export const findRow = async <R extends Resource>(
  db: Db,
  table: Table<R>,
  scope: Scope,
  id: number,
): Promise<Row<R>> => {
  const found = await sql<
    Row<R>
  >`${plannedOnce} select ${selection(table, scope, readableFields(table.resource))} from ${source(table)}
    where t.id = ${id} and ${inScope(table, scope)}`.execute(db)
  const row = found.rows[0]
  if (!row) throw new AppError(commonErrors.resourceNotFound, { id })
  return row
}

/**
 * What is stored: fields whose condition does not hold are emptied, absent ones take their initial value. What a row referred
 * to may have gone `before`: then the row can be changed without naming another.
 */
export const storable = (resource: Resource, values: Values, before?: Values): Record<string, unknown> => {
  const kept: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(resource.fields)) {
    const value = values[name]
    if (field.writable === 'never' || field.kind === 'secret' || field.linked || field.unlisted) continue
    // A condition may hang on a field that an earlier condition has just emptied.
    if (!conditionHolds(field, { ...values, ...kept })) kept[name] = field.kind === 'switch' ? false : null
    else if (value === undefined || value === null) {
      const gone = before !== undefined && field.kind === 'ref' && (before[name] ?? null) === null
      if (field.required && field.initial === undefined && !gone)
        throw new AppError(
          field.faults?.missing
            ? { code: field.faults.missing, status: 400, field: name }
            : { ...commonErrors.missingParameter, field: name },
          { field: name },
        )
      kept[name] = field.initial ?? null
    } else kept[name] = value
  }
  return kept
}

const isObject = (field: Field | undefined) => field?.kind === 'names' || field?.kind === 'location'

const stored = (table: Table, name: string, value: unknown) => {
  const field = table.resource.fields[name]
  if (field && holdsFile(field)) return sql`${(value as FileValue | null)?.id ?? null}`
  return isObject(field) && value !== null ? sql`${toJsonb(value)}::jsonb` : sql`${value}`
}

/** What a place answers that is not there or out of reach, which look the same: its own code where the field has one. */
const placeRefusal = ({ resource }: Pick<Table, 'resource'>): ErrorSpec => {
  const code = resource.fields.departmentId?.faults?.wrong
  return code ? { code, status: 400, field: 'departmentId' } : commonErrors.noPermission
}

/** Refuses a row that was just written to a place the caller has no right to; the transaction takes it back. */
const mustBeInScope = async (db: Db, table: Table, scope: Scope, id: number) => {
  const found = await sql`select 1 from ${source(table)} where t.id = ${id} and ${inScope(table, scope)}`.execute(db)
  if (found.rows.length === 0) throw new AppError(placeRefusal(table))
}

/** Writes a new row; `also` holds columns people do not fill in (hash, path). */
export const insertRow = async (
  db: Db,
  table: Table,
  scope: Scope,
  draft: Values,
  also: Values = {},
): Promise<number> => {
  const writer: Values = table.keepsCreator ? { creatorId: scope.actorId } : {}
  const values: Values = {
    ...(await attachFiles(db, table, scope, storable(table.resource, draft))),
    ...writer,
    ...also,
  }
  await mustReachTargets(db, table, scope, values)
  const names = Object.keys(values)
  const inserted = await translated(table, () =>
    sql<{
      id: number
    }>`insert into ${sql.table(table.name)} (${sql.join(names.map((name) => sql.ref(storedName(name))))})
      values (${sql.join(names.map((name) => stored(table, name, values[name])))}) returning id`.execute(db),
  )
  const id = inserted.rows[0]?.id as number
  await mustBeInScope(db, table, scope, id)
  return id
}

export interface Change {
  before: Record<string, unknown>
  after: Record<string, unknown>
}

type Changing = Pick<Call, 'db' | 'scope' | 'note'>

/** Reads the row and keeps others from changing it until the transaction is over. */
const lockRow = async (db: Db, table: Table, scope: Scope, id: number): Promise<Values> => {
  const { rows } = await sql<Values>`select ${selection(table, scope, readableFields(table.resource))}
    from ${source(table)} where t.id = ${id} and ${inScope(table, scope)} for update of t`.execute(db)
  const [row] = rows
  if (!row) throw new AppError(commonErrors.resourceNotFound, { id })
  return row
}

/** Changes only what differs. The row is read once, and what the operation log is told is what was there and what is. */
export const updateRow = async (
  { db, scope, note }: Changing,
  table: Table,
  patch: Values & { id: number },
  also: Values = {},
): Promise<Change> => {
  const { resource } = table
  const row = await lockRow(db, table, scope, patch.id)
  const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))
  const wanted = await attachFiles(db, table, scope, storable(resource, { ...row, ...given }, row), patch.id)
  const names = Object.keys(wanted).filter((name) => !same(wanted[name], row[name]))
  const values: Values = { ...Object.fromEntries(names.map((name) => [name, wanted[name]])), ...also }
  if (Object.keys(values).length > 0) {
    await mustReachTargets(db, table, scope, values)
    const sets = Object.keys(values).map(
      (name) => sql`${sql.ref(storedName(name))} = ${stored(table, name, values[name])}`,
    )
    await translated(table, () =>
      sql`update ${sql.table(table.name)} set ${sql.join(sets)} where id = ${patch.id}`.execute(db),
    )
    await mustBeInScope(db, table, scope, patch.id)
  }
  const pick = (from: Values) => Object.fromEntries(names.map((name) => [name, from[name]]))
  const change = { before: pick(row), after: pick(wanted) }
  note({
    description: String(row[resource.identity] ?? ''),
    before: loggable(resource, change.before),
    after: loggable(resource, change.after),
  })
  return change
}

const same = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

/** Removes all of them or none; answers what they were called. */
export const removeRows = async (db: Db, table: Table, scope: Scope, ids: readonly number[]): Promise<unknown[]> => {
  const identity = table.resource.identity
  const found = await sql<{ id: number; name: unknown }>`select t.id, ${column(table, identity, scope)} as name
    from ${source(table)} where t.id = any(${ids}) and ${inScope(table, scope)}`.execute(db)
  const missing = ids.find((id) => !found.rows.some((row) => row.id === id))
  if (missing !== undefined) throw new AppError(commonErrors.resourceNotFound, { id: missing })
  await translated(
    table,
    () => sql`delete from ${sql.table(table.name)} where id = any(${ids})`.execute(db),
    commonErrors.inUse,
  )
  return found.rows.map((row) => row.name)
}

/** PostgreSQL: what a row refers to is not there, or what goes is still referred to. */
const brokenReference = '23503'
/** PostgreSQL: the second fence keeps a row from being written to where its writer does not reach. */
const outOfReach = '42501'

/** A broken constraint answers with its own code instead of a server error. */
export const translated = async <T>(
  table: Pick<Table, 'constraints' | 'resource'>,
  work: () => Promise<T>,
  // A reference to nothing looks like a reference out of reach.
  reference: ErrorSpec = placeRefusal(table),
): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    const { constraint, code } = error as { constraint?: string; code?: string }
    if (code === outOfReach) throw new AppError(placeRefusal(table))
    const spec = (constraint && table.constraints[constraint]) || (code === brokenReference ? reference : undefined)
    throw spec ? new AppError(spec) : error
  }
}
