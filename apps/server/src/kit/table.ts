import { type ErrorSpec, type Field, filterShape, type Resource } from '@campanile/contract'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../platform/db.ts'
import type { Scope } from './actor.ts'

type Expression = RawBuilder<unknown>
type Filters = Readonly<Record<string, unknown>>
/** A row on its way to whoever asked. */
export type ShownRow = Record<string, unknown>
/** SQL of a field. A figure or a name that reaches beyond the row itself says how much of it a scope sees. */
type Column = Expression | ((scope: Scope) => Expression)
/** A way to the ids of rows. */
export interface Searched {
  readonly from: Expression
  readonly id: Expression
}

/** Where a resource's rows live. The declaration says what a row is, this says how PostgreSQL is asked for it. */
export interface Table<R extends Resource = Resource> {
  readonly resource: R
  readonly name: string
  readonly joins: Expression
  /** Where rows are searched that are not read yet, when less than the whole joins answers these fields. */
  readonly searched: ((asked: readonly string[]) => Searched | undefined) | undefined
  /** SQL of each field; the table itself is `t`. */
  readonly columns: Readonly<Record<string, Column>>
  /** SQL of fields of which a page of a list shows less than the row itself, and says so. */
  readonly inList: Readonly<Record<string, Expression>>
  readonly filters: Readonly<Record<string, (value: never) => RawBuilder<SqlBool>>>
  /** ltree path of the department a row belongs to (scope `organisation`). */
  readonly path: Expression | undefined
  /** Id of the user a row belongs to (scope `self`). */
  readonly owner: Expression | undefined
  /** Replaces what the scope kind says about rows, where "mine or my departments'" is the rule. */
  readonly reach: ((scope: Scope) => RawBuilder<SqlBool>) | undefined
  /** Rows that exist for nobody through this resource stay out of every verb. */
  readonly visible: ((scope: Scope) => RawBuilder<SqlBool>) | undefined
  /** What of a query must be looked up before it can be put: a filter that stands for a saved one. */
  readonly lookedUp: ((db: Db, scope: Scope, filters: Filters) => Promise<RawBuilder<SqlBool>>) | undefined
  /** Fills in what a query alone cannot answer: values that rest sealed, for whoever may read them. */
  readonly reveal: ((db: Db, scope: Scope, rows: ShownRow[]) => Promise<ShownRow[]>) | undefined
  /** How many rows a scope reaches, where that is kept and need not be counted. */
  readonly counted: ((scope: Scope) => RawBuilder<number>) | undefined
  /** Fields that together tell one row from another to a person; an import leaves rows alone that are there already. */
  readonly key: readonly string[]
  /** `creator_id` holds who wrote a row. */
  readonly keepsCreator: boolean
  /** What a broken constraint means to a person, by its name. */
  readonly constraints: Readonly<Record<string, ErrorSpec>>
}

export interface TableSpec {
  readonly name: string
  readonly joins?: Expression
  readonly searched?: (asked: readonly string[]) => Searched | undefined
  readonly columns?: Readonly<Record<string, Column>>
  readonly inList?: Readonly<Record<string, Expression>>
  readonly filters?: Readonly<Record<string, (value: never) => RawBuilder<SqlBool>>>
  readonly path?: Expression
  readonly owner?: Expression
  readonly reach?: (scope: Scope) => RawBuilder<SqlBool>
  readonly visible?: (scope: Scope) => RawBuilder<SqlBool>
  readonly lookedUp?: (db: Db, scope: Scope, filters: Filters) => Promise<RawBuilder<SqlBool>>
  readonly reveal?: (db: Db, scope: Scope, rows: ShownRow[]) => Promise<ShownRow[]>
  readonly counted?: (scope: Scope) => RawBuilder<number>
  readonly key?: readonly string[]
  readonly keepsCreator?: boolean
  readonly constraints?: Readonly<Record<string, ErrorSpec>>
}

const snake = (name: string) =>
  name.replace(/[A-Z0-9]+/g, (part, at) => (at === 0 ? part : /\d/.test(part) ? `_${part}` : `_${part.toLowerCase()}`))

/** The stored column of a field: `lastLogin` is `last_login`, `enable2fa` is `enable_2fa`. */
export const columnOf = (field: string) => sql.ref(`t.${snake(field)}`)
export const storedName = snake

export const bindTable = <const R extends Resource>(resource: R, spec: TableSpec): Table<R> => {
  const stored = Object.keys(resource.fields).map((name) => [name, columnOf(name)] as const)
  return {
    resource,
    name: spec.name,
    joins: spec.joins ?? sql``,
    searched: spec.searched,
    counted: spec.counted,
    columns: { id: columnOf('id'), ...Object.fromEntries(stored), ...spec.columns },
    inList: spec.inList ?? {},
    filters: spec.filters ?? {},
    path: spec.path,
    owner: spec.owner,
    reach: spec.reach,
    visible: spec.visible,
    lookedUp: spec.lookedUp,
    reveal: spec.reveal,
    key: spec.key ?? [],
    keepsCreator: spec.keepsCreator ?? false,
    constraints: spec.constraints ?? {},
  }
}

export const column = (table: Table, field: string, scope: Scope): Expression => {
  const expression = table.columns[field]
  if (!expression) throw new Error(`${table.resource.name} has no column for ${field}`)
  return typeof expression === 'function' ? expression(scope) : expression
}

/** Whether a scope reaches the department with this path. */
export const reaches = (scope: Scope, path: Expression): RawBuilder<SqlBool> =>
  scope.everything ? sql`true` : sql`${path} <@ any(${scope.paths}::ltree[])`

const scopeCondition = (table: Table, scope: Scope): RawBuilder<SqlBool> => {
  if (table.reach) return table.reach(scope)
  switch (table.resource.scope) {
    case 'organisation': {
      if (!table.path) throw new Error(`${table.resource.name} is scoped by organisation but has no path`)
      return reaches(scope, table.path)
    }
    case 'self': {
      if (!table.owner) throw new Error(`${table.resource.name} is scoped to its owner but names none`)
      return sql`${table.owner} = ${scope.actorId}`
    }
    default:
      return sql`true`
  }
}

/** The rows a caller may touch at all. */
export const inScope = (table: Table, scope: Scope): RawBuilder<SqlBool> =>
  table.visible ? sql`${scopeCondition(table, scope)} and ${table.visible(scope)}` : scopeCondition(table, scope)

const containing = (value: string) => `%${value.replace(/[\\%_]/g, '\\$&')}%`
/** Text is asked for by part; in quotation marks it is the whole value. */
const quoted = /^"(.*)"$/s

const filterCondition = (table: Table, scope: Scope, name: string, value: unknown): RawBuilder<SqlBool> => {
  const own = table.filters[name]
  if (own) return own(value as never)
  const target = column(table, name, scope)
  switch ((table.resource.fields[name] as Field).kind) {
    case 'switch':
      return sql`${target} = ${value}`
    case 'choices':
    case 'dictionaries':
      return sql`${target} && ${value}`
    case 'choice':
    case 'dictionary':
    case 'department':
    case 'user':
      return sql`${target} = any(${value})`
    case 'number':
      return sql`${target} = ${value}`
    default:
      if (Array.isArray(value) && value.length !== 1)
        return value.length === 0 ? sql`true` : sql`${target} = any(${value})`
      return value === '' ? sql`true` : textCondition(target, String(value))
  }
}

/** What a text filter asks of a column. */
export const textCondition = (target: RawBuilder<unknown>, asked: string): RawBuilder<SqlBool> => {
  const whole = quoted.exec(asked)?.[1]
  return whole === undefined ? sql`${target} ilike ${containing(asked)}` : sql`${target} = ${whole}`
}

/** The one time range a list may be asked for. */
const timeRange = (table: Table, scope: Scope, filters: Filters): RawBuilder<SqlBool>[] => {
  const field = table.resource.list.filters.find((name) =>
    ['timestamp', 'date'].includes(table.resource.fields[name]?.kind ?? ''),
  )
  if (!field) return []
  const target = column(table, field, scope)
  return [
    ...(filters.startTime ? [sql<SqlBool>`${target} >= ${filters.startTime}`] : []),
    ...(filters.endTime ? [sql<SqlBool>`${target} < ${filters.endTime}`] : []),
  ]
}

export const matching = (table: Table, scope: Scope, filters: Filters): RawBuilder<SqlBool> => {
  const asked = Object.keys(filterShape(table.resource)).filter(
    (name) => filters[name] !== undefined && name !== 'startTime' && name !== 'endTime',
  )
  return sql.join(
    [
      inScope(table, scope),
      ...asked.map((name) => filterCondition(table, scope, name, filters[name])),
      ...timeRange(table, scope, filters),
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

export const selection = (table: Table, scope: Scope, fields: readonly string[]): Expression =>
  sql.join(['id', ...fields].map((name) => sql`${column(table, name, scope)} as ${sql.ref(name)}`))

export const listSelection = (table: Table, scope: Scope, fields: readonly string[]): Expression =>
  selection({ ...table, columns: { ...table.columns, ...table.inList } }, scope, fields)

/** Everything a row shows: all fields but secrets and what is kept out of lists. */
export const readableFields = (resource: Resource): string[] =>
  Object.keys(resource.fields).filter(
    (name) => resource.fields[name]?.kind !== 'secret' && !resource.fields[name]?.unlisted,
  )

export const source = (table: Table): Expression => sql`${sql.table(table.name)} as t ${table.joins}`
export const searchedFor = (table: Table, asked: readonly string[]): Searched =>
  table.searched?.(asked) ?? { from: source(table), id: columnOf('id') }
