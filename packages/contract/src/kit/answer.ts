import { z } from 'zod'
import type { Fields, FieldValues, Resource, Row } from './resource.ts'
import { underOtherNames } from './schema.ts'

/** A file instead of the envelope: a download, a picture. */
export const fileAnswer = z.never()

/** Nothing more than that it was done. */
export const done = z.object({})
/** The row that was made. */
export const madeRow = z.object({ id: z.number().int() })
const skippedRows = z.array(z.object({ id: z.number(), name: z.string(), code: z.number() }))
/** How many rows it was done to, and those it was not done to. */
export const doneToRows = z.object({ done: z.number().int(), skipped: skippedRows.exactOptional() })
export const removedRows = z.object({ removed: z.number().int(), skipped: skippedRows.exactOptional() })

/** What a row shows: all fields but secrets and what is kept out of lists. */
export const readableFields = (resource: Resource): string[] =>
  Object.keys(resource.fields).filter(
    (name) => resource.fields[name]?.kind !== 'secret' && !resource.fields[name]?.unlisted,
  )

type Values = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Values => typeof value === 'object' && value !== null

/** Only what is named; the same object where it holds nothing else, so that a page of rows costs no copy. */
const only = (values: Values, names: ReadonlySet<string>): Values =>
  holdsMore(values, names) ? Object.fromEntries(Object.entries(values).filter(([each]) => names.has(each))) : values
const holdsMore = (values: Values, names: ReadonlySet<string>) => {
  for (const name in values) if (!names.has(name)) return true
  return false
}
const holdsAll = (values: unknown, names: ReadonlySet<string>) => {
  if (!isObject(values)) return false
  for (const name of names) if (values[name] === undefined && !(name in values)) return false
  return true
}

interface Shown {
  readonly row?: () => Resource
  readonly rows?: () => Resource
  readonly fields?: Fields
}
const shown = new WeakMap<object, Shown>()
/** The resource whose rows a schema stands for, or the fields whose values: for the documentation. */
export const shownBy = (schema: object): Shown => shown.get(schema) ?? {}
const showing = <T extends z.ZodType>(what: Shown, schema: T): T => {
  shown.set(schema, what)
  return schema
}

interface RowNames {
  readonly needed: ReadonlySet<string>
  /** Those, and the second names of the wire. */
  readonly known: ReadonlySet<string>
}
/** The names a row of a resource has; asked for when the first one is answered, because resources refer to each other. */
const namesOf = (resource: () => Resource) => {
  let names: RowNames | undefined
  return () => {
    names ??= readNames(resource())
    return names
  }
}
const readNames = (resource: Resource): RowNames => {
  const needed = ['id', ...readableFields(resource)]
  return {
    needed: new Set(needed),
    known: new Set([...needed, ...needed.map((name) => resource.fields[name]?.also ?? name)]),
  }
}

/**
 * A row of a resource. What was stored once was checked then, so only its names are: a rule that became stricter since does
 * not make older rows unreadable. It is answered under every name its fields have, as in a list.
 */
export const rowOf = <R extends Resource>(resource: () => R): z.ZodType<Row<R>> => {
  const named = namesOf(resource)
  return showing(
    { row: resource },
    z
      .custom<Row<R>>((row) => holdsAll(row, named().needed))
      .overwrite((row) => underOtherNames(resource().fields, only(row, named().known)) as Row<R>),
  )
}

/** Many rows, looked at once and in one go: lists are what is asked for most. */
const rowsOf = (resource: Resource): z.ZodType => {
  const named = namesOf(() => resource)
  return showing(
    { rows: () => resource },
    z.transform<unknown, readonly Values[]>((rows, { issues }) => {
      const { needed, known } = named()
      const refuse = (input: unknown) => {
        issues.push({ code: 'custom', input })
        return []
      }
      if (!Array.isArray(rows)) return refuse(rows)
      let more = false
      for (const row of rows as readonly Values[]) {
        let found = 0
        for (const name in row)
          if (needed.has(name)) found += 1
          else if (!known.has(name)) more = true
        if (found !== needed.size) return refuse(row)
      }
      return more ? rows.map((row: Values) => only(row, known)) : rows
    }),
  )
}

/** A page of a list, as its resource sends it. */
export const pageOf = (resource: Resource): z.ZodType =>
  z.object({ [resource.wire.listKey]: rowsOf(resource), total: z.number().int() })

/** Values of some fields that were checked when they were stored, each of which may be absent. */
export const valuesOf = <const F extends Fields>(fields: F): z.ZodType<FieldValues<F>> => {
  const names = new Set(Object.keys(fields))
  return showing(
    { fields },
    z.custom<FieldValues<F>>(isObject).overwrite((given) => only(given as Values, names) as FieldValues<F>),
  )
}

/** What an export answers: the file is found among the files when it is ready. */
export const exportAnswer = z.object({ fileName: z.string(), fileId: z.number().int() })

const count = z.number().int()
export const importCheck = z
  .object({
    importId: z.number().int(),
    total: count,
    valid: count,
    /** Rows that are there already: they are among `errors`, left out, and stay as they are. */
    existing: count,
    errors: z.array(z.object({ row: count, field: z.string().nullable(), code: count, message: z.string() })),
    /** How the file was read, of one saved as text; `unsure` where another code page fits as well. */
    read: z
      .object({ encoding: z.enum(['utf-8', 'utf-16le', 'utf-16be', 'gb18030', 'big5']), unsure: z.boolean() })
      .exactOptional(),
    /** The first rows, as they were read. */
    preview: z.array(z.record(z.string(), z.string())),
  })
  .meta({ id: 'ImportCheck' })
export const importStarted = z.object({ jobId: z.number().int(), importId: z.number().int() })
export const importProgress = z
  .object({
    state: z.enum(['checked', 'running', 'done']),
    done: count,
    total: count,
    created: count,
    failed: count,
    skipped: count,
    /** The rows that failed, with a reason column. */
    fileId: count.nullable(),
    /** 30000 when rows were not accepted. */
    code: count.exactOptional(),
    message: z.string().exactOptional(),
  })
  .meta({ id: 'ImportStatus' })
