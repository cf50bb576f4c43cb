import { type Field, isTime, spanOf } from '@campanile/contract'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import type { Scope } from '../actor.ts'
import { kinds } from '../kinds.ts'
import { inScope } from '../scope.ts'
import { column, columnOf, type Searched, type Table } from '../table.ts'
import { versionOrder } from './versions.ts'

type Expression = RawBuilder<unknown>
type Filters = Readonly<Record<string, unknown>>

export const filterCondition = (table: Table, scope: Scope, name: string, value: unknown): RawBuilder<SqlBool> => {
  const own = table.filters[name]
  if (own) return own(value as never)
  return kinds[(table.resource.fields[name] as Field).kind].matches(column(table, name, scope), value)
}

/** What one box asks: any of the texts holds it. */
const searchCondition = (table: Table, scope: Scope, { search }: Filters): RawBuilder<SqlBool>[] => {
  const names = table.resource.list.search
  if (!names || typeof search !== 'string' || search === '') return []
  return [
    sql`(${sql.join(
      names.map((name) => filterCondition(table, scope, name, search)),
      sql` or `,
    )})`,
  ]
}

/** Whole numbers are asked for by whole numbers: their columns take no other, and an index finds them. */
const endOf = (kind: Field['kind'], value: unknown, toWhole: (value: number) => number): unknown =>
  typeof value === 'number' && (kind === 'number' || kind === 'money') ? toWhole(value) : value

/** The spans a list is asked for: the end of one belongs to figures and not to times and versions. */
const spanConditions = (table: Table, scope: Scope, filters: Filters): RawBuilder<SqlBool>[] =>
  table.resource.list.filters.flatMap((name) => {
    const [from, to] = spanOf(table.resource, name) ?? []
    if (from === undefined || to === undefined) return []
    const target = column(table, name, scope)
    const field = table.resource.fields[name] as Field
    if (field.version)
      return [
        ...(filters[from] === undefined ? [] : [versionOrder(table.fewValues[name], target, sql`>=`, filters[from])]),
        ...(filters[to] === undefined ? [] : [versionOrder(table.fewValues[name], target, sql`<`, filters[to])]),
      ]
    const before = isTime(table.resource, name) ? sql`<` : sql`<=`
    return [
      ...(filters[from] === undefined
        ? []
        : [sql<SqlBool>`${target} >= ${endOf(field.kind, filters[from], Math.ceil)}`]),
      ...(filters[to] === undefined
        ? []
        : [sql<SqlBool>`${target} ${before} ${endOf(field.kind, filters[to], Math.floor)}`]),
    ]
  })

export const matching = (table: Table, scope: Scope, filters: Filters): RawBuilder<SqlBool> => {
  const asked = table.resource.list.filters.filter((name) => filters[name] !== undefined)
  return sql.join(
    [
      inScope(table, scope),
      ...asked.map((name) => filterCondition(table, scope, name, filters[name])),
      ...searchCondition(table, scope, filters),
      ...spanConditions(table, scope, filters),
      ...(Array.isArray(filters.ids) ? [sql`t.id = any(${filters.ids})`] : []),
      ...(Array.isArray(filters.except) ? [sql`t.id <> all(${filters.except})`] : []),
    ],
    sql` and `,
  )
}

/** The same, with what has to be looked up first. */
export const matchingNow = async (
  db: Db,
  table: Table,
  scope: Scope,
  filters: Filters,
): Promise<RawBuilder<SqlBool>> => {
  const where = matching(table, scope, filters)
  return table.lookedUp ? sql`${where} and ${await table.lookedUp(db, scope, filters)}` : where
}

/** Empty values come last either way; the id breaks ties so that pages never overlap. */
const ordered = (table: Table, sort: string, value: Expression, id: Expression): Expression => {
  const direction = sort.startsWith('-') ? sql`desc` : sql`asc`
  const nulls = sort.startsWith('-') && !table.resource.fields[sort.slice(1)]?.required ? sql`nulls last` : sql``
  return sql`${value} ${direction} ${nulls}, ${id} ${direction}`
}

const orderColumn = (table: Table, scope: Scope, sort: string) => column(table, sort.replace(/^-/, ''), scope)

export const ordering = (table: Table, scope: Scope, sort: string, id = columnOf('id')): Expression =>
  ordered(table, sort, orderColumn(table, scope, sort), id)

/** The ids of all rows in this order, to be cut to a page. */
export const inOrder = (
  table: Table,
  scope: Scope,
  sort: string,
  { from, id }: Searched,
  where: RawBuilder<SqlBool>,
): Expression => sql`select ${id} as id from ${from} where ${where} order by ${ordering(table, scope, sort, id)}`

/** The same, where few rows are left: gathered first and sorted then, instead of walking the order past all the others. */
export const gatheredInOrder = (
  table: Table,
  scope: Scope,
  sort: string,
  { from, id }: Searched,
  where: RawBuilder<SqlBool>,
): Expression =>
  sql`with found as materialized (select ${id} as id, ${orderColumn(table, scope, sort)} as value from ${from} where ${where})
    select id from found order by ${ordered(table, sort, sql`value`, sql`id`)}`
