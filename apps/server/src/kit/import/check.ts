import {
  AppError,
  commonErrors,
  conditionHolds,
  draftSchema,
  type Field,
  type Resource,
  spreadsheetErrors,
} from '@campanile/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import type { SheetRow } from '../../platform/sheet/parse.ts'
import type { Scope } from '../actor.ts'
import type { CodeTables } from '../export/cells.ts'
import { inScope } from '../scope.ts'
import { splitList, unreadable } from '../sheet-values.ts'
import { column, source, type Table } from '../table.ts'
import { cellRefusal } from '../upload/sheet.ts'
import { createHeaderReader, createValueReader, importColumns, isRequired } from './columns.ts'
import { createRowFinder } from './tree.ts'

export interface Asked {
  readonly name: string
  /** The department of the row, where a name may mean something else than elsewhere. */
  readonly near: number | null
}
/** What names in cells stand for, in the order asked: the id, or that there is more than one, or none, within reach. */
export type Resolver = (
  db: Db,
  scope: Scope,
  asked: readonly Asked[],
) => Promise<readonly (number | 'ambiguous' | undefined)[]>

export interface RowError {
  readonly field: string | null
  readonly code: number
  readonly data?: Readonly<Record<string, unknown>> | undefined
}

export interface CheckedRow {
  readonly number: number
  /** By field, as it stood in the file. */
  readonly texts: Readonly<Record<string, string>>
  readonly cells: readonly (string | null)[]
  readonly draft: Readonly<Record<string, unknown>>
  readonly errors: RowError[]
  /** Number of the row of the same file it stands under. */
  readonly above: number | null
  exists: boolean
}

/** There already and otherwise right: left out, and said so before anything is done. */
export const isThere = ({ exists, errors }: Pick<CheckedRow, 'exists' | 'errors'>): boolean =>
  exists && errors.length === 0

export interface CheckDeps {
  readonly db: Db
  readonly scope: Scope
  readonly codes: CodeTables
  /** How rows of a resource are found by the names people write. */
  readonly resolverOf: (resource: string) => Resolver
  /** Secrets that are made when the cell is left blank. */
  readonly generated: readonly string[]
  /** The field by which a row may stand under another of the file. */
  readonly under: string | undefined
  /** By field, the code of an empty cell, where a sheet has another than a form. */
  readonly emptied?: Readonly<Record<string, number>> | undefined
  /** The code of a row that stands in the file twice. */
  readonly repeated?: number | undefined
  /** What a column is called where nobody wrote it. */
  readonly titleOf: (field: string) => string
  /** A row that is only there to show how. */
  readonly isExample: (texts: Readonly<Record<string, string>>) => boolean
}

/** Reads the header row; every column must be one we know, and every one we need must be there. */
const readHeaders = (
  resource: Resource,
  headers: readonly (string | null)[],
  { generated, titleOf }: Pick<CheckDeps, 'generated' | 'titleOf'>,
) => {
  const read = createHeaderReader(resource)
  const wrong = (column: string) => new AppError(spreadsheetErrors.columnsWrong, { column })
  const columns = headers.map((header) => {
    if (header === null) return null
    const name = read(header)
    if (name === undefined) throw wrong(header.slice(0, 64))
    return name
  })
  const named = columns.filter((name) => name !== null)
  const twice = named.find((name, index) => named.indexOf(name) !== index)
  if (twice) throw wrong(titleOf(twice))
  const needed = importColumns(resource).filter((name) => isRequired(resource.fields[name] as Field))
  const missing = needed.find((name) => !named.includes(name) && !generated.includes(name))
  if (missing) throw wrong(titleOf(missing))
  return columns
}

/** All errors of all rows, so that one upload shows everything there is to correct. */
export const checkRows = async (table: Table, rows: readonly SheetRow[], deps: CheckDeps) => {
  const { resource } = table
  const [head, ...body] = rows
  if (!head || body.length === 0) throw new AppError(spreadsheetErrors.fileEmpty)
  const columns = readHeaders(resource, head.cells, deps)
  const textsOf = ({ cells }: SheetRow): Record<string, string> =>
    Object.fromEntries(
      columns.flatMap((name, index) => {
        const text = cells[index]?.trim()
        return name && text ? [[name, text]] : []
      }),
    )
  const filled = body
    .map((row) => ({ row, texts: textsOf(row) }))
    .filter(({ texts }) => Object.keys(texts).length > 0 && !deps.isExample(texts))
  if (filled.length === 0) throw new AppError(spreadsheetErrors.fileEmpty)

  const lookUp = await resolveNames(
    resource,
    filled.map(({ texts }) => texts),
    deps,
  )
  const lines = filled.map(({ row, texts }) => ({ number: row.number, texts }))
  const read = createRowReader(resource, deps, lookUp, lines)
  const faultsOf = (row: SheetRow): RowError[] =>
    columns.flatMap((name, index) => {
      const why = name === null ? undefined : cellRefusal(row, index)
      return why ? [{ field: name, code: why.code, data: why.data }] : []
    })
  const checked = filled.map(({ row, texts }): CheckedRow => {
    const { draft, errors, above } = read({ number: row.number, texts }, faultsOf(row), row.since1904)
    return { number: row.number, cells: row.cells, texts, draft, errors, above, exists: false }
  })
  flagRepeated(table, checked, deps.repeated ?? spreadsheetErrors.rowRepeated.code)
  await markExisting(table, checked, deps)
  return { headers: head.cells.map((cell) => cell ?? ''), columns, rows: checked }
}

type Found = number | 'ambiguous' | undefined
type LookUp = (kind: string, name: string, near: number | null) => Found

const askedKey = (name: string, near: number | null) => `${near ?? ''} ${name}`

/** Departments first: what another name means may depend on them. */
const referencesOf = (resource: Resource) =>
  importColumns(resource)
    .flatMap((name) => {
      const field = resource.fields[name] as Field
      return field.target ? [{ name, field, target: field.target() }] : []
    })
    .sort((a, b) => Number(b.field.place ?? false) - Number(a.field.place ?? false))

const namesIn = (field: Field, cell: string) => (field.kind === 'refs' ? splitList(cell) : [cell])

/** One question a kind of row that is named, whatever the number of rows. */
const resolveNames = async (
  resource: Resource,
  texts: readonly Readonly<Record<string, string>>[],
  { db, scope, resolverOf }: CheckDeps,
): Promise<LookUp> => {
  const answers = new Map<string, Map<string, Found>>()
  const lookUp: LookUp = (kind, name, near) => answers.get(kind)?.get(askedKey(name, near))
  const references = referencesOf(resource)
  for (const kind of new Set(references.map(({ target }) => target.name))) {
    const fields = references.filter(({ target }) => target.name === kind)
    const asked = new Map<string, Asked>()
    for (const row of texts)
      for (const { name: column, field } of fields) {
        const near = nearOf(resource, field, row, lookUp)
        for (const name of namesIn(field, row[column] ?? '')) if (name) asked.set(askedKey(name, near), { name, near })
      }
    if (asked.size === 0) continue
    const found = await resolverOf(kind)(db, scope, [...asked.values()])
    answers.set(kind, new Map([...asked.keys()].map((key, index) => [key, found[index]])))
  }
  return lookUp
}

const nearOf = (resource: Resource, field: Field, row: Readonly<Record<string, string>>, lookUp: LookUp) => {
  if (field.place) return null
  const place = referencesOf(resource).find((each) => each.field.place)
  const cell = place && row[place.name]
  const found = cell ? lookUp(place.target.name, cell, null) : undefined
  return typeof found === 'number' ? found : null
}

const createRowReader = (
  resource: Resource,
  { codes, generated, under, emptied }: CheckDeps,
  lookUp: LookUp,
  lines: Parameters<typeof createRowFinder>[0],
) => {
  const readValue = createValueReader(resource, codes)
  const schema = draftSchema(resource)
  const rowMeant = under ? createRowFinder(lines, resource.identity, under) : () => undefined

  const referenceOf = (field: Field, name: string, near: number | null, column: string, errors: RowError[]) => {
    const found = lookUp(field.target?.().name ?? '', name, near)
    if (typeof found === 'number') return found
    errors.push(notMeant(column, name, found === 'ambiguous'))
    return undefined
  }

  return (line: (typeof lines)[number], errors: RowError[], since1904 = false) => {
    const { texts } = line
    const draft: Record<string, unknown> = {}
    const unusable = new Set(errors.map((error) => error.field))
    let above: number | null = null
    for (const [name, text] of Object.entries(texts)) {
      if (unusable.has(name)) continue
      const field = resource.fields[name] as Field
      const near = nearOf(resource, field, texts, lookUp)
      if (field.kind === 'refs') {
        const ids = splitList(text).map((part) => referenceOf(field, part, near, name, errors))
        draft[name] = ids.filter((id) => id !== undefined)
      } else if (name === under && lookUp(field.target?.().name ?? '', text, null) === undefined) {
        const meant = rowMeant(line)
        if (typeof meant === 'number') above = meant
        else errors.push(notMeant(name, text, meant === 'ambiguous'))
      } else if (field.kind === 'ref') draft[name] = referenceOf(field, text, near, name, errors)
      else {
        const value = readValue(name, text, since1904)
        if (value === unreadable) errors.push(wrong(field, name))
        else draft[name] = value
      }
    }
    const blamed = new Set(errors.map((error) => error.field))
    if (under && above !== null) blamed.add(under)
    for (const issue of schema.safeParse(draft).error?.issues ?? []) {
      const name = String(issue.path[0] ?? '')
      if (blamed.has(name) || (generated.includes(name) && draft[name] === undefined)) continue
      blamed.add(name)
      const field = resource.fields[name]
      errors.push(draft[name] === undefined ? missing(field, name, emptied) : wrong(field, name))
    }
    for (const [name, field] of Object.entries(resource.fields)) {
      const needed = field.when && field.required && field.initial === undefined && conditionHolds(field, draft)
      if (needed && draft[name] === undefined && !blamed.has(name)) errors.push(missing(field, name, emptied))
    }
    return { draft, errors, above }
  }
}

/** A name in a cell that stands for nothing, or for more than one thing, within reach. */
export const notMeant = (field: string, name: string, ambiguous = false): RowError => ({
  field,
  code: (ambiguous ? spreadsheetErrors.valueAmbiguous : spreadsheetErrors.valueUnknown).code,
  data: { value: name.slice(0, 64) },
})
const wrong = (field: Field | undefined, name: string): RowError => ({
  field: name,
  code: field?.faults?.wrong ?? commonErrors.wrongFormat.code,
  data: { field: name },
})
const missing = (field: Field | undefined, name: string, emptied: CheckDeps['emptied']): RowError => ({
  field: name,
  code: emptied?.[name] ?? field?.faults?.missing ?? commonErrors.missingParameter.code,
  data: { field: name },
})

const keyOf = (table: Table, row: CheckedRow): string[] | undefined => {
  const parts = table.key.map((name) => row.draft[name])
  return parts.every((part) => part !== undefined && part !== null) && parts.length > 0 ? parts.map(String) : undefined
}

/** Codes and serial numbers are what they are to the letter; names are the same however they are written. */
const tellsCase = ({ resource }: Table, name: string) => resource.fields[name]?.kind === 'mono'

const flagRepeated = (table: Table, rows: readonly CheckedRow[], repeated: number) => {
  const first = new Map<string, number>()
  for (const row of rows) {
    const key = JSON.stringify(
      keyOf(table, row)?.map((part, at) =>
        tellsCase(table, table.key[at] ?? '') ? part : part.normalize('NFKC').toLowerCase(),
      ),
    )
    if (!key) continue
    const earlier = first.get(key)
    if (earlier === undefined) first.set(key, row.number)
    else {
      const field = table.key[0] ?? ''
      row.errors.push({ field, code: repeated, data: { row: earlier, [field]: row.draft[field] } })
    }
  }
}

/** Rows that are there already are left alone, so the same file can be imported twice. */
export const markExisting = async (
  table: Table,
  rows: readonly (Pick<CheckedRow, 'draft' | 'number'> & { exists: boolean })[],
  { db, scope }: Pick<CheckDeps, 'db' | 'scope'>,
) => {
  const keyed = rows.flatMap((row) => {
    const key = keyOf(table, row as CheckedRow)
    return key ? [{ row, key }] : []
  })
  if (keyed.length === 0) return
  const arrays = table.key.map((_, index) => sql`${keyed.map(({ key }) => key[index])}::text[]`)
  const same = table.key.map((name, index) => {
    const own = column(table, name, scope)
    const there = sql`(${own})::text`
    const wanted = sql.ref(`wanted.k${index}`)
    const kind = table.resource.fields[name]?.kind ?? ''
    // A time and a number are the same however they are written.
    if (kind === 'timestamp') return sql`${own} = ${wanted}::timestamptz`
    if (kind === 'number' || kind === 'decimal') return sql`${own} = ${wanted}::numeric`
    return tellsCase(table, name) ? sql`${there} = ${wanted}` : sql`lower(${there}) = lower(${wanted})`
  })
  const names = table.key.map((_, index) => sql.ref(`k${index}`))
  const { rows: found } = await sql<{ number: number }>`
    select wanted.number from unnest(${keyed.map(({ row }) => row.number)}::int[], ${sql.join(arrays)})
      as wanted(number, ${sql.join(names)}), ${source(table)}
    where ${sql.join(same, sql` and `)} and ${inScope(table, scope)} and ${table.lasting ?? sql`true`}`.execute(db)
  const numbers = new Set(found.map((row) => row.number))
  for (const { row } of keyed) row.exists = numbers.has(row.number)
}
