import { z } from 'zod'
import type { Field } from './field.ts'
import type { Fields, Resource } from './resource.ts'

const blankIsAbsent = (value: unknown) => (value === '' ? null : value)

const absentOr = (field: Field) => z.preprocess(blankIsAbsent, field.schema.nullish())

const writable = (fields: Fields, kinds: readonly string[]) =>
  Object.entries(fields).filter(([, field]) => kinds.includes(field.writable))

/** A field behind a condition is checked by `applyConditions`, so here it may be absent. */
const isNeeded = (field: Field) => field.required && !field.when

export const draftSchema = (resource: Resource) =>
  z.strictObject(
    Object.fromEntries(
      writable(resource.fields, ['always', 'once']).map(([name, field]) => [
        name,
        isNeeded(field) && field.initial === undefined ? z.preprocess(blankIsAbsent, field.schema) : absentOr(field),
      ]),
    ),
  )

export const patchSchema = (resource: Resource) =>
  z.strictObject({
    id: z.number().int().positive(),
    ...Object.fromEntries(
      // Blank on edit means unchanged for secrets and "now empty" for everything else that may be empty.
      writable(resource.fields, ['always']).map(([name, field]) => [
        name,
        isNeeded(field) && field.kind !== 'secret'
          ? z.preprocess(blankIsAbsent, field.schema).optional()
          : absentOr(field),
      ]),
    ),
  })

export const conditionHolds = (field: Field, values: Readonly<Record<string, unknown>>): boolean =>
  !field.when || field.when.is.includes(values[field.when.field] as string | number | boolean)

/** §9: above 0 and below 200. */
export const pageSizeLimit = 199

const wholeNumber = z
  .string()
  .regex(/^\d{1,9}$/)
  .transform(Number)
const page = wholeNumber.pipe(z.number().min(1))
const pageSize = wholeNumber.pipe(z.number().min(1).max(pageSizeLimit))
const list = <T extends z.ZodType>(item: T) =>
  z.preprocess((value) => (Array.isArray(value) ? value : [value]), z.array(item).max(200))

/** readings 105: what was pasted, one by one. A single one is looked for by part, several are meant as they stand. */
export const splitSeveral = (text: string): string[] => [...new Set(text.split(/[\s/,，;；、]+/).filter(Boolean))]

const severalOf = ({ several = 1, max = 128 }: Field) =>
  z.preprocess(
    (value) => (Array.isArray(value) ? value.join('/') : value),
    z
      .string()
      .max(several * (max + 1))
      .transform(splitSeveral)
      .pipe(z.array(z.string()).max(several)),
  )

/** How a field is asked for in a list's query: text by part (or whole, `"in quotation marks"`), codes by any of, times by `startTime` and `endTime`. */
const filterSchema = (field: Field): Record<string, z.ZodType> | z.ZodType => {
  if (field.several) return severalOf(field)
  switch (field.kind) {
    case 'choice':
    case 'choices': {
      const options = field.options ?? []
      return list(
        typeof options[0] === 'number'
          ? wholeNumber.refine((value) => options.includes(value))
          : z.string().refine((value) => options.includes(value)),
      )
    }
    case 'dictionary':
    case 'dictionaries':
    case 'department':
    case 'user':
    case 'roles':
      return list(wholeNumber)
    case 'number':
      return wholeNumber
    case 'switch':
      return z.enum(['true', 'false']).transform((value) => value === 'true')
    case 'timestamp':
    case 'date':
      return { startTime: z.iso.datetime({ offset: true }), endTime: z.iso.datetime({ offset: true }) }
    default:
      return z.string().trim().max(128)
  }
}

export const filterShape = (resource: Resource): Record<string, z.ZodType> =>
  Object.assign(
    {},
    ...resource.list.filters.map((name) => {
      const schema = filterSchema(resource.fields[name] as Field)
      return schema instanceof z.ZodType ? { [name]: schema.optional() } : mapOptional(schema)
    }),
  )

const mapOptional = (shape: Record<string, z.ZodType>) =>
  Object.fromEntries(Object.entries(shape).map(([name, schema]) => [name, schema.optional()]))

export const sortable = (resource: Resource): string[] =>
  resource.list.columns.filter((name) => !resource.fields[name]?.unsorted)

const sortSchema = (resource: Resource) =>
  z.string().refine((value) => sortable(resource).includes(value.replace(/^-/, '')))

/** The query of a list: `page`, `pageSize`, `sort`, `ids` and one entry a filter. Unknown names are refused. */
export const listSchema = (resource: Resource) =>
  z.strictObject({
    page: page.default(1),
    pageSize: pageSize.default(resource.wire.pageSize),
    sort: sortSchema(resource).optional(),
    ids: list(wholeNumber).optional(),
    ...filterShape(resource),
  })
export type ListQuery = { page: number; pageSize: number; sort?: string; ids?: number[] } & Record<string, unknown>

const idList = z.preprocess(
  (value) => (Array.isArray(value) ? value : [value]).map((id) => (/^\d{1,15}$/.test(String(id)) ? Number(id) : id)),
  z.array(z.number().int().positive()).min(1).max(10_000),
)

/** Ids in the body `{ ids: [...] }` or in the query `ids=1&ids=2` (readings 126), under the resource's own key. */
export const removeSchema = (resource: Resource) => z.strictObject({ [resource.wire.idsKey]: idList })

const isTimeZone = (name: string) => {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

/** A body may say `[1]` and `true` where a query can only say `'1'` and `'true'`. */
const asQuery = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(asQuery)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, asQuery(each)]))
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
}

/** What is exported: the chosen rows (flag 1), or everything that matches except what was unticked. */
export const exportSchema = (resource: Resource) =>
  z.strictObject({
    flag: z.literal([0, 1]).default(0),
    ids: z.array(z.number().int().positive()).max(10_000).optional(),
    except: z.array(z.number().int().positive()).max(10_000).optional(),
    columns: z.array(z.enum(resource.list.columns as [string, ...string[]])).optional(),
    sort: sortSchema(resource).optional(),
    /** Whose clock the times are written in. */
    timeZone: z.string().max(64).refine(isTimeZone).default('UTC'),
    filters: z.preprocess(asQuery, z.strictObject(filterShape(resource))).default({}),
  })
