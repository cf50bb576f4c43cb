import { type ErrorSpec, type Field, holdsFile, type Resource, secretMask } from '@campanile/contract'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../platform/db.ts'
import type { Scope } from './actor.ts'

type Expression = RawBuilder<unknown>
type Filters = Readonly<Record<string, unknown>>
/** A row on its way to whoever asked. */
export type ShownRow = Record<string, unknown>
/** SQL of a field. A figure or a name that reaches beyond the row itself says how much of it a scope sees. */
type Column = Expression | ((scope: Scope) => Expression)
/** What is joined for the names of rows that are referred to, and their SQL by the field that carries them. */
interface NamedRows {
  readonly joins: Expression
  readonly columns: Readonly<Record<string, Expression>>
}
/** A way to the ids of rows. */
export interface Searched {
  readonly from: Expression
  readonly id: Expression
  /** Of a row found this way, where it is not the table's own. */
  readonly department?: Expression
  /** The same without joins, for whoever asks the rows for their department and nothing else. */
  readonly alone?: Omit<Searched, 'alone'>
}

/** Where a resource's rows live. The declaration says what a row is, this says how PostgreSQL is asked for it. */
export interface Table<R extends Resource = Resource> {
  readonly resource: R
  readonly name: string
  /** What stands in the place of the table, where its rows are worked out from others (`gathered`). */
  readonly from: Expression | undefined
  readonly gathered: TableSpec['gathered']
  readonly joins: Expression
  /** Names of rows that these rows refer to, which no column above answers. */
  readonly named: () => NamedRows
  /** Where rows are searched that are not read yet, when less than the whole joins answers these fields. */
  readonly searched: ((asked: readonly string[]) => Searched | undefined) | undefined
  /** SQL of each field; the table itself is `t`. */
  readonly columns: Readonly<Record<string, Column>>
  /** Fields that are simply a column of the table, so that no join has to answer them. */
  readonly own: ReadonlySet<string>
  /** Fields with an index of their letters (`letters_apart`), for texts too short for an index of parts. */
  readonly byLetters: readonly string[]
  /** SQL of fields of which a page of a list shows less than the row itself, and says so. */
  readonly inList: Readonly<Record<string, Expression>>
  readonly filters: Readonly<Record<string, (value: never) => RawBuilder<SqlBool>>>
  /** Where the different values of a field are listed that many rows share: versions. */
  readonly fewValues: Readonly<Record<string, Expression>>
  /** As which value of its filter a row counts, where that is not what its column shows. */
  readonly countedAs: Readonly<Record<string, Expression>>
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
  /** Brings in what is written but not yet there, before rows are read that are to be complete. */
  readonly beforeReading: ((db: Db) => Promise<unknown>) | undefined
  /** Fills in what a query alone cannot answer: values that rest sealed, for whoever may read them. */
  readonly reveal: ((db: Db, scope: Scope, rows: ShownRow[]) => Promise<ShownRow[]>) | undefined
  /** How many rows a scope reaches, where that is kept and need not be counted. */
  readonly counted: ((scope: Scope) => RawBuilder<number>) | undefined
  /** Fields that together tell one row from another to a person; an import leaves rows alone that are there already. */
  readonly key: readonly string[]
  /** Rows that are there already to an import, where not all of them are: what is over can be given anew. */
  readonly lasting: RawBuilder<SqlBool> | undefined
  /** `creator_id` holds who wrote a row. */
  readonly keepsCreator: boolean
  /** What a broken constraint means to a person, by its name. */
  readonly constraints: Readonly<Record<string, ErrorSpec>>
}

export interface TableSpec {
  readonly name: string
  /**
   * Rows that are worked out from others for every question: a select with a column for each field, of what the scope reaches
   * and the filters leave. A filter may say so which rows are counted, not only which sums are shown.
   */
  readonly gathered?: (scope: Scope, filters: Filters) => Expression
  readonly joins?: Expression
  readonly searched?: (asked: readonly string[]) => Searched | undefined
  readonly columns?: Readonly<Record<string, Column>>
  readonly byLetters?: readonly string[]
  readonly inList?: Readonly<Record<string, Expression>>
  readonly filters?: Readonly<Record<string, (value: never) => RawBuilder<SqlBool>>>
  readonly fewValues?: Readonly<Record<string, Expression>>
  readonly countedAs?: Readonly<Record<string, Expression>>
  readonly path?: Expression
  readonly owner?: Expression
  readonly reach?: (scope: Scope) => RawBuilder<SqlBool>
  readonly visible?: (scope: Scope) => RawBuilder<SqlBool>
  readonly lookedUp?: (db: Db, scope: Scope, filters: Filters) => Promise<RawBuilder<SqlBool>>
  readonly beforeReading?: (db: Db) => Promise<unknown>
  readonly reveal?: (db: Db, scope: Scope, rows: ShownRow[]) => Promise<ShownRow[]>
  readonly counted?: (scope: Scope) => RawBuilder<number>
  readonly key?: readonly string[]
  readonly lasting?: RawBuilder<SqlBool>
  readonly keepsCreator?: boolean
  readonly constraints?: Readonly<Record<string, ErrorSpec>>
}

const snake = (name: string) =>
  name.replace(/[A-Z0-9]+/g, (part, at) => (at === 0 ? part : /\d/.test(part) ? `_${part}` : `_${part.toLowerCase()}`))

/** The stored column of a field: `lastLogin` is `last_login`, `enable2fa` is `enable_2fa`. */
export const columnOf = (field: string) => sql.ref(`t.${snake(field)}`)
export const storedName = snake

/** How a field is read that is not simply its column: files by what is known of them, masked values by their mask. */
const shownColumn = (name: string, field: Field): Expression => {
  const column = columnOf(name)
  if (holdsFile(field))
    return sql`(select jsonb_build_object('id', f.id, 'name', f.name, 'size', f.size, 'type', f.type)
      from stored_file f where f.id = ${column})`
  // PostgreSQL hands decimals out as text, so that none is rounded; those of ours fit a number.
  if (field.kind === 'decimal') return sql`${column}::float8`
  return field.kind === 'masked' ? sql`case when ${column} is not null then ${secretMask} end` : column
}

/** Every table by the name of its resource: where a reference finds what it refers to. */
const bound = new Map<string, Table>()

/** Nothing where no resource is called so. */
export const tableNamed = (name: string): Table | undefined => bound.get(name)
export const boundTable = (name: string): Table => {
  const table = tableNamed(name)
  if (!table) throw new Error(`${name} is referred to, but no table is bound to it`)
  return table
}

const labelOf = (target: Table, alias: string) => sql.ref(`${alias}.${storedName(target.resource.label)}`)

/** References whose names no column of the table answers are joined by themselves. */
const createNamed = (resource: Resource, columns: Readonly<Record<string, unknown>>) => {
  const shown = Object.entries(resource.fields).flatMap(([name, { kind, target, nameField, linked }]) =>
    target && nameField && !linked && !(nameField in columns) && nameField in resource.fields
      ? [{ name, kind, target: () => boundTable(target().name), nameField }]
      : [],
  )
  let made: NamedRows | undefined
  return {
    fields: shown.map(({ nameField }) => nameField),
    // Not before it is asked for: the other table may be bound later.
    named: () => {
      const joins: Expression[] = []
      const found: Record<string, Expression> = {}
      if (!made)
        for (const { name, kind, target, nameField } of shown) {
          const alias = `${storedName(name)}_named`
          const rows = sql.table(target().name)
          if (kind === 'ref')
            joins.push(sql`left join ${rows} as ${sql.ref(alias)} on ${sql.ref(`${alias}.id`)} = ${columnOf(name)}`)
          found[nameField] =
            kind === 'ref'
              ? labelOf(target(), alias)
              : sql`array(select ${labelOf(target(), 'named')} from ${rows} as named
                  where named.id = any(${columnOf(name)}) order by named.id)`
        }
      made ??= { joins: sql.join(joins, sql` `), columns: found }
      return made
    },
  }
}

export const bindTable = <const R extends Resource>(resource: R, spec: TableSpec): Table<R> => {
  const { fields, named } = createNamed(resource, spec.columns ?? {})
  const stored = Object.keys(resource.fields).filter((name) => !fields.includes(name))
  const table: Table<R> = {
    resource,
    name: spec.name,
    from: undefined,
    gathered: spec.gathered,
    joins: spec.joins ?? sql``,
    named,
    searched: spec.searched,
    counted: spec.counted,
    columns: {
      id: columnOf('id'),
      ...Object.fromEntries(stored.map((name) => [name, shownColumn(name, resource.fields[name] as Field)])),
      ...spec.columns,
    },
    own: new Set(stored.filter((name) => !(name in (spec.columns ?? {})) && !(name in (spec.filters ?? {})))),
    byLetters: spec.byLetters ?? [],
    inList: spec.inList ?? {},
    filters: spec.filters ?? {},
    fewValues: spec.fewValues ?? {},
    countedAs: spec.countedAs ?? {},
    path: spec.path,
    owner: spec.owner,
    reach: spec.reach,
    visible: spec.visible,
    lookedUp: spec.lookedUp,
    beforeReading: spec.beforeReading,
    reveal: spec.reveal,
    key: spec.key ?? [],
    lasting: spec.lasting,
    keepsCreator: spec.keepsCreator ?? false,
    constraints: spec.constraints ?? {},
  }
  bound.set(resource.name, table)
  return table
}

export const column = (table: Table, field: string, scope: Scope): Expression => {
  const expression = table.columns[field] ?? table.named().columns[field]
  if (!expression) throw new Error(`${table.resource.name} has no column for ${field}`)
  return typeof expression === 'function' ? expression(scope) : expression
}

export const selection = (table: Table, scope: Scope, fields: readonly string[]): Expression =>
  sql.join(['id', ...fields].map((name) => sql`${column(table, name, scope)} as ${sql.ref(name)}`))

export const listSelection = (table: Table, scope: Scope, fields: readonly string[]): Expression =>
  selection({ ...table, columns: { ...table.columns, ...table.inList } }, scope, fields)

/** The table as it is for this question. */
export const askedTable = <T extends Table>(table: T, scope: Scope, filters: Filters): T =>
  table.gathered ? { ...table, from: sql`(${table.gathered(scope, filters)})` } : table

export const source = (table: Table): Expression =>
  sql`${table.from ?? sql.table(table.name)} as t ${table.joins} ${table.named().joins}`
export const searchedFor = (table: Table, asked: readonly string[]): Searched =>
  table.searched?.(asked) ?? { from: source(table), id: columnOf('id') }

/** Where one field is searched of rows that are asked for their department and nothing else. */
export const searchedAlone = (table: Table, name: string): Searched => {
  if (table.own.has(name)) return { from: sql`${sql.table(table.name)} as t`, id: columnOf('id') }
  const searched = searchedFor(table, [name])
  return searched.alone ?? searched
}
