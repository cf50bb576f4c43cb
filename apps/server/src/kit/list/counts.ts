import { type Counts, countedFields, isAsked, type Total, totalLimit } from '@campanile/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import type { Scope } from '../actor.ts'
import { askedTable, column, searchedFor, type Table } from '../table.ts'
import { filterCondition, matchingNow } from './query.ts'

/** So many rows are counted by their values in a moment. Where there are more, nothing is told rather than late. */
const most = 50_000

/** No field is called so. */
const everyRow = '*'

interface Counted {
  field: string
  value: string | null
  count: number
}

/** What is found of a row for the values of one field: the value itself, or for each of its values whether the row has it. */
const valuesOf = (table: Table, scope: Scope, name: string): { as: string; found: RawBuilder<unknown> }[] => {
  const field = table.resource.fields[name]
  if (!field || !isAsked(field))
    return [{ as: name, found: sql`(${table.countedAs[name] ?? column(table, name, scope)})::text` }]
  const one = (value: string | number | boolean) => (field.kind === 'switch' ? value : [value])
  return (field.kind === 'switch' ? [true, false] : (field.options ?? [])).map((value) => ({
    as: `${name} ${value}`,
    found: sql`case when ${filterCondition(table, scope, name, one(value))} then ${sql.lit(String(value))} end`,
  }))
}

/** How many rows have which value of these fields; undefined where there are too many rows to say. */
const countValues = async (
  db: Db,
  kept: Table,
  scope: Scope,
  filters: Readonly<Record<string, unknown>>,
  fields: readonly string[],
): Promise<Counted[] | undefined> => {
  const table = askedTable(kept, scope, filters)
  const where = await matchingNow(db, table, scope, filters)
  const { from } = searchedFor(table, [...Object.keys(filters), ...fields])
  const values = fields.flatMap((name) => valuesOf(table, scope, name).map((value) => ({ ...value, name })))
  const found = sql.join(values.map((value) => sql`${value.found} as ${sql.ref(value.as)}`))
  const each = sql.join([
    // Every row once, whatever it has: a field may have several of its values, or none.
    sql`(${everyRow}::text, null::text)`,
    ...values.map(({ name, as }) => sql`(${name}::text, ${sql.ref(`found.${as}`)})`),
  ])
  const { rows } = await sql<Counted>`with found as materialized
      (select ${found} from ${from} where ${where} limit ${most + 1})
    select each.field, each.value, count(*)::int as count
    from found cross join lateral (values ${each}) as each(field, value) group by 1, 2`.execute(db)
  const total = rows.find(({ field }) => field === everyRow)?.count ?? 0
  return total > most ? undefined : rows
}

/** How many rows of a list a filter leaves, in one statement that stops where it no longer matters. */
export const countTotal = async (
  db: Db,
  kept: Table,
  scope: Scope,
  filters: Readonly<Record<string, unknown>>,
): Promise<Total> => {
  const table = askedTable(kept, scope, filters)
  await table.beforeReading?.(db)
  const where = await matchingNow(db, table, scope, filters)
  const asked = Object.keys(filters).filter((name) => filters[name] !== undefined)
  const { rows } = await sql<{ total: number }>`select count(*)::int as total
    from (select 1 from ${searchedFor(table, asked).from} where ${where} limit ${totalLimit + 1}) found`.execute(db)
  const total = rows[0]?.total ?? 0
  return { total: Math.min(total, totalLimit), more: total > totalLimit }
}

/**
 * How many rows of a list each value of its filters would leave. What is not filtered is counted in one pass; a filter that
 * is set is counted without itself, or its other values would all say none.
 */
export const countOptions = async (
  db: Db,
  table: Table,
  scope: Scope,
  filters: Readonly<Record<string, unknown>>,
): Promise<{ counts: Counts }> => {
  await table.beforeReading?.(db)
  const asked = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined))
  const names = countedFields(table.resource)
  const free = names.filter((name) => asked[name] === undefined)
  const passes = [
    ...(free.length > 0 ? [free] : []),
    ...names.filter((name) => asked[name] !== undefined).map((name) => [name]),
  ]
  const counts: Counts = {}
  for (const fields of passes) {
    const others = Object.fromEntries(Object.entries(asked).filter(([name]) => !fields.includes(name)))
    const counted = await countValues(db, table, scope, others, fields)
    if (!counted) continue
    for (const name of fields)
      counts[name] = counted.flatMap(({ field, value, count }) =>
        field === name && value !== null ? [{ value, count }] : [],
      )
  }
  return { counts }
}
