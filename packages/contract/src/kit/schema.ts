import { z } from 'zod'
import { dictionaryCodeMax, type Field, type FieldKind, fileName, holdsFile, isTimeZone, moment } from './field.ts'
import { idInQuery } from './id.ts'
import type { Fields, Resource } from './resource.ts'

const blankIsMissing = (value: unknown) => (value === '' || value === null ? undefined : value)
const blankIsAbsent = (value: unknown) => (value === '' ? null : value)

const absentOr = (field: Field) => z.preprocess(blankIsAbsent, field.schema.nullish())

const writable = (fields: Fields, kinds: readonly string[]) =>
  Object.entries(fields).filter(([, field]) => kinds.includes(field.writable))

/** A field behind a condition is checked by `applyConditions`, so here it may be absent. */
const isNeeded = (field: Field) => field.required && !field.when

/** Fields with a second name on the wire, and that name. */
export const otherNames = (fields: Fields): [name: string, also: string][] =>
  Object.entries(fields).flatMap(([name, { also }]) => (also === undefined ? [] : [[name, also] as [string, string]]))

/** What is sent under another name of the wire is read under the field's own. Under both it must be the same. */
const readOtherNames = (fields: Fields, given: unknown, refuse?: (name: string) => void): unknown => {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given
  const read: Record<string, unknown> = { ...given }
  for (const [name, also] of otherNames(fields)) {
    if (read[name] === undefined && read[also] !== undefined) read[name] = read[also]
    else if (read[also] !== undefined && JSON.stringify(read[also]) !== JSON.stringify(read[name])) refuse?.(also)
    delete read[also]
  }
  return read
}
export const withOtherNames = (fields: Fields, schema: z.ZodType): z.ZodType =>
  otherNames(fields).length === 0
    ? schema
    : z.preprocess(
        (given, { issues }) =>
          readOtherNames(fields, given, (name) => issues.push({ code: 'custom', path: [name], input: given })),
        schema,
      )
/** A row with everything its fields are called. */
export const underOtherNames = <T extends object>(fields: Fields, row: T): T => ({
  ...row,
  ...Object.fromEntries(
    otherNames(fields).flatMap(([name, also]) => (name in row ? [[also, (row as Record<string, unknown>)[name]]] : [])),
  ),
})

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
      // Blank on edit means unchanged for secrets and masked values and "now empty" for everything else that may be empty.
      writable(resource.fields, ['always']).map(([name, field]) => [
        name,
        field.kind === 'masked'
          ? z.preprocess(blankIsMissing, field.schema.optional())
          : isNeeded(field) && field.kind !== 'secret'
            ? z.preprocess(blankIsAbsent, field.schema).optional()
            : absentOr(field),
      ]),
    ),
  })

/** What an action or a command takes: what may be left out stays absent, what starts with something has it. */
export const fieldsShape = (fields: Fields): Record<string, z.ZodType> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      if (field.initial !== undefined) return [name, z.preprocess(blankIsMissing, field.schema.default(field.initial))]
      return [name, z.preprocess(blankIsMissing, isNeeded(field) ? field.schema : field.schema.optional())]
    }),
  )

/** A field behind a condition must be there while the condition holds. */
export const refuseMissing =
  (fields: Fields) =>
  ({ value, issues }: { value: unknown; issues: { code: 'custom'; path: string[]; input: unknown }[] }) => {
    const values = value as Readonly<Record<string, unknown>>
    for (const [name, field] of Object.entries(fields))
      if (field.when && field.required && conditionHolds(field, values) && values[name] === undefined)
        issues.push({ code: 'custom', path: [name], input: undefined })
  }

export const fieldsSchema = (fields: Fields): z.ZodObject =>
  z.strictObject(fieldsShape(fields)).check(refuseMissing(fields) as never)

export const conditionHolds = (field: Field, values: Readonly<Record<string, unknown>>): boolean =>
  !field.when || field.when.is.includes(values[field.when.field] as string | number | boolean)

/** Above 0 and below 200 (behaviour: api.page-size). */
export const pageSizeLimit = 199

const wholeNumber = z
  .string()
  .regex(/^\d{1,9}$/)
  .transform(Number)
  .pipe(z.number().int())
const page = wholeNumber.pipe(z.number().min(1))
const pageSize = wholeNumber.pipe(z.number().min(1).max(pageSizeLimit))
const list = <T extends z.ZodType>(item: T) =>
  z.preprocess((value) => (Array.isArray(value) ? value : [value]), z.array(item).max(200))

/** What was pasted, one by one. A single one is looked for by part, several are meant as they stand (behaviour: devices.several-serials). */
export const splitSeveral = (text: string): string[] => [...new Set(text.split(/[\s/,，;；、]+/).filter(Boolean))]

const severalOf = ({ several = 1, max = 128 }: Field) =>
  z.preprocess(
    (value) => (Array.isArray(value) ? value.join('/') : value),
    z
      .string()
      .max(several * (max + 1))
      .refine(withoutNul)
      .transform(splitSeveral)
      .pipe(z.array(z.string()).max(several)),
  )

/** What no text in the database holds cannot be looked for. */
const withoutNul = (value: string) => !value.includes('\0')
const text = () => z.string().trim().max(128).refine(withoutNul)
const optionsOf = ({ options = [] }: Field) =>
  list(
    typeof options[0] === 'number'
      ? wholeNumber.pipe(z.literal(options as readonly number[]))
      : z.literal(options as readonly string[]),
  )
const codes = () => list(wholeNumber)
const dictionaryCodes = () => list(wholeNumber.pipe(z.number().max(dictionaryCodeMax)))
const largestInteger = 2 ** 31 - 1
const figure = z
  .string()
  .regex(/^-?\d{1,15}(\.\d{1,6})?$/)
  .transform(Number)
  .pipe(z.number())

interface Asked {
  /** What is asked for under the field's own name. */
  readonly value?: (field: Field) => z.ZodType
  /** What each end of a span is. */
  readonly ends?: (field: Field) => z.ZodType
}
/** Text by part (or whole, `"in quotation marks"`). */
const byPart: Asked = { value: text }
const byAnyOf: Asked = { value: optionsOf }
const byCode: Asked = { value: codes }
/** A figure that the column could hold. */
const figureOf = ({ max = 0 }: Field) =>
  max > largestInteger ? figure : figure.pipe(z.number().min(-largestInteger).max(largestInteger))
const byFigure: Asked = { value: figureOf, ends: figureOf }
const byDictionary: Asked = { value: dictionaryCodes }
const byTime: Asked = { ends: moment }

/** Numbers with points between, as many as are known: `3.2` is where 3.2.0 begins. */
const versionText = () =>
  z
    .string()
    .trim()
    .regex(/^\d{1,9}(\.\d{1,9}){0,5}$/)

/** How each kind of field is asked for in a list's query. */
const asked: Readonly<Record<FieldKind, Asked>> = {
  text: byPart,
  longText: byPart,
  mono: byPart,
  mobile: byPart,
  url: byPart,
  colour: byPart,
  json: byPart,
  monthDay: byPart,
  timeOfDay: byPart,
  ipList: byPart,
  lines: byPart,
  names: byPart,
  secret: {},
  masked: {},
  file: {},
  image: {},
  upload: {},
  location: {},
  group: {},
  object: {},
  number: byFigure,
  decimal: byFigure,
  money: byFigure,
  switch: {
    value: () =>
      z
        .enum(['true', 'false'])
        .transform((value) => value === 'true')
        .pipe(z.boolean()),
  },
  choice: byAnyOf,
  choices: byAnyOf,
  weekdays: byCode,
  dictionary: byDictionary,
  dictionaries: byDictionary,
  ref: byCode,
  refs: byCode,
  timestamp: byTime,
  date: byTime,
}

export const isTime = ({ fields }: Resource, name: string) => ['timestamp', 'date'].includes(fields[name]?.kind ?? '')

/**
 * The two names under which the ends of a span are asked for: the first time of a list by `startTime` and `endTime`, a second
 * one by its own name (`expiryStart`, `expiryEnd`), figures by `amountMin` and `amountMax`, versions by `firmwareFrom` and
 * `firmwareBelow`. The second end is left out of times and versions and belongs to figures.
 */
export const spanOf = (resource: Resource, name: string): readonly [string, string] | undefined => {
  const field = resource.fields[name]
  if (field?.version) return [`${name}From`, `${name}Below`]
  if (!field || !asked[field.kind].ends) return undefined
  if (!isTime(resource, name)) return [`${name}Min`, `${name}Max`]
  const first = resource.list.filters.find((each) => isTime(resource, each))
  return name === first ? ['startTime', 'endTime'] : [`${name}Start`, `${name}End`]
}

const filterShapeOf = (resource: Resource, name: string): Record<string, z.ZodType> => {
  const field = resource.fields[name] as Field
  const { value, ends = field.version ? versionText : undefined } = asked[field.kind]
  return {
    ...(value && { [name]: field.several ? severalOf(field) : value(field) }),
    ...(ends && Object.fromEntries((spanOf(resource, name) ?? []).map((end) => [end, ends(field)]))),
  }
}

type Shape = Readonly<Record<string, z.ZodType>>

/** Every list asks for it at every call, and a schema takes long to build. */
const filterShapes = new WeakMap<Resource, Shape>()

export const filterShape = (resource: Resource): Shape => {
  const known = filterShapes.get(resource)
  if (known) return known
  const filters = resource.list.filters.flatMap((name) => Object.entries(filterShapeOf(resource, name)))
  const shape = Object.fromEntries(
    [...filters, ...(resource.list.search ? [['search', text()] as const] : [])].map(([name, schema]) => [
      name,
      schema.optional(),
    ]),
  )
  filterShapes.set(resource, shape)
  return shape
}

/** Their order would say nothing. */
const unordered: readonly FieldKind[] = ['masked', 'file', 'image', 'upload']

export const sortable = (resource: Resource): string[] =>
  resource.list.columns.filter((name) => {
    const field = resource.fields[name]
    return field && !field.unsorted && !unordered.includes(field.kind)
  })

export const sorts = (resource: Resource): string[] => sortable(resource).flatMap((name) => [name, `-${name}`])
const sortSchema = (resource: Resource) => z.enum(sorts(resource))

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
  (value) =>
    value === undefined || value === null
      ? value
      : [value].flat().map((id) => (/^\d{1,15}$/.test(String(id)) ? Number(id) : id)),
  z.array(z.number().int().positive()).min(1).max(10_000),
)

const nameList = z.preprocess(
  (value) => [value].flat().flatMap((each) => (typeof each === 'string' ? splitSeveral(each) : [each])),
  z.array(z.string().max(128)).min(1).max(10_000),
)

/**
 * Ids in the body `{ ids: [...] }` or in the query `ids=1&ids=2` (behaviour: api.arrays), under the resource's own key; where it says so, the names
 * of the rows instead.
 */
export const removeSchema = ({ wire: { idsKey, removeBy } }: Resource) =>
  removeBy === undefined
    ? z.strictObject({ [idsKey]: idList })
    : z.strictObject({ [idsKey]: idList.optional(), [removeBy]: nameList.optional() }).check(({ value, issues }) => {
        if ((value[idsKey] === undefined) === (value[removeBy] === undefined))
          issues.push({ code: 'custom', path: [idsKey], input: value })
      })

/** Fields that hold a file of the row. */
export const fileFields = ({ fields }: Resource): [string, Field][] =>
  Object.entries(fields).filter(([, field]) => holdsFile(field))
/** What sending a file says beside it. */
export const uploadSchema = z.strictObject({ name: fileName })
/** Which row's file is fetched. */
export const fileSchema = (resource: Resource) => z.strictObject({ id: idInQuery(() => resource) })

/** How many a pop-up shows at once. */
const popUpSize = 5

/** Fields whose rows are chosen from a list of names; places are found in the tree. */
export const optionFields = (resource: Resource): string[] =>
  [...new Set([...Object.values(resource.form).flat(), ...resource.list.filters])].filter((name) => {
    const field = resource.fields[name]
    return field?.target !== undefined && !field.place && !field.unlisted
  })

/** What a picker asks: rows whose name holds this, or the names of these rows. */
export const optionsSchema = z.strictObject({
  search: z.string().trim().max(128).optional(),
  ids: list(wholeNumber).optional(),
  page: page.default(1),
  pageSize: pageSize.default(popUpSize),
})
export const optionsAnswer = z.object({
  rows: z.array(z.object({ id: z.number(), name: z.string() }).meta({ id: 'Option' })),
  total: z.number().int(),
})
export type Options = z.output<typeof optionsAnswer>

/** Filters that are chosen from a few values, of which a list tells how many of its rows have each. */
export const countedFields = (resource: Resource): string[] =>
  resource.list.filters.filter((name) => {
    const field = resource.fields[name]
    return field && (field.kind === 'dictionary' ? !isAsked(field) : ['choice', 'switch'].includes(field.kind))
  })
/** A field that no row carries, or that is worked out for each: its values are counted by what they are asked for by. */
export const isAsked = ({ unlisted, unsorted }: Field): boolean => unlisted === true || unsorted === true
/** What is counted within: the filters of the list. */
export const countsSchema = (resource: Resource) => z.strictObject(filterShape(resource))
/** By field. A field is counted as if it were not filtered by itself, and is absent where rows are too many. */
export const countsAnswer = z.object({
  counts: z.record(
    z.string(),
    z.array(z.object({ value: z.string(), count: z.number().int() }).meta({ id: 'ValueCount' })),
  ),
})
export type Counts = z.output<typeof countsAnswer>['counts']

/** More are not counted: how many rows a view holds is told beside its name, and must cost next to nothing. */
export const totalLimit = 999
/** How many rows a filter of the list leaves. `more`: there are more than that. */
export const totalAnswer = z.object({ total: z.number().int(), more: z.boolean() })
export type Total = z.output<typeof totalAnswer>

/** A body may say `[1]` and `true` where a query can only say `'1'` and `'true'`. */
export const readAsQuery = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(readAsQuery)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, readAsQuery(each)]))
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
}

/** What is exported: everything that matches, of it the chosen rows where ids are given, except what was unticked. */
export const exportSchema = (resource: Resource) =>
  z.strictObject({
    flag: z
      .literal([0, 1])
      .optional()
      .describe(
        'Says what counts where both are sent: 1 the ids alone, 0 filters and except alone. Left out, all of them.',
      ),
    ids: z.array(z.number().int().positive()).max(10_000).optional(),
    except: z.array(z.number().int().positive()).max(10_000).optional(),
    columns: z.array(z.enum(resource.list.columns as [string, ...string[]])).optional(),
    sort: sortSchema(resource).optional(),
    /** Whose clock the times are written in. */
    timeZone: z.string().max(64).refine(isTimeZone).default('UTC'),
    filters: z
      .preprocess((given) => readAsQuery(readOtherNames(resource.fields, given)), z.strictObject(filterShape(resource)))
      .default({}),
  })
