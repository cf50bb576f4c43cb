import type { Field, FieldKind, FileValue } from '@campanile/contract'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Cell } from '../platform/sheet/write.ts'
import { dateCell, readDate, readMonthDay, readTime, readTimeOfDay, splitList, unreadable } from './sheet-values.ts'

/** What a cell of a spreadsheet is written with: the words of a language, the clock of a place. */
export interface CellWords {
  /** The word for an option or for a code of a table. */
  word(value: unknown): string
  yesNo(value: unknown): string
  /** A name in the language that is written. */
  named(value: unknown): string
  moment(value: unknown): Cell
  join(values: readonly string[]): string
}

/** What a cell that somebody typed is read with; words may be in any language. */
export interface CellReader {
  word(text: string): unknown
  yesNo(text: string): unknown
  /** Bare numbers of days count from 1904. */
  readonly since1904: boolean
}

/** What the example row of a template is written with. */
export interface ExampleWords {
  /** The first option or code, in words. */
  word(): string
  no(): string
  sample(what: 'text' | 'mono' | 'place' | 'name'): string
}

type Expression = RawBuilder<unknown>

interface Kind {
  /** How PostgreSQL keeps it. Absent: a table of its own does, which its room writes. */
  readonly column?: (field: Field) => string
  /** What a value in a list's query asks of it. */
  readonly matches: (column: Expression, value: unknown) => RawBuilder<SqlBool>
  /** How it stands in an exported file. */
  readonly cell: (value: unknown, words: CellWords) => Cell
  /** How a cell of an imported file is read. References are looked up by whoever reads the file. */
  readonly read: (text: string, reader: CellReader) => unknown
  /** What the example row of a template shows. */
  readonly example: (words: ExampleWords, field: Field) => string
}

const largestInteger = 2 ** 31 - 1
const ofOptions = ({ options = [] }: Field) => (typeof options[0] === 'number' ? 'integer' : 'text')

export const containing = (value: string) => `%${value.replace(/[\\%_]/g, '\\$&')}%`
/** Text is asked for by part; in quotation marks it is the whole value. */
const quoted = /^"(.*)"$/s

/** What a text filter asks of a column. */
export const textCondition = (column: Expression, asked: string): RawBuilder<SqlBool> => {
  const whole = quoted.exec(asked)?.[1]
  return whole === undefined ? sql`${column} ilike ${containing(asked)}` : sql`${column} = ${whole}`
}

const byPart: Kind['matches'] = (column, value) => {
  if (Array.isArray(value) && value.length !== 1) return value.length === 0 ? sql`true` : sql`${column} = any(${value})`
  return value === '' ? sql`true` : textCondition(column, String(value))
}
const byEqual: Kind['matches'] = (column, value) => sql`${column} = ${value}`
/** No whole number is a half, and a column of them takes none. */
const byWhole: Kind['matches'] = (column, value) => (Number.isInteger(value) ? byEqual(column, value) : sql`false`)
const byAnyOf: Kind['matches'] = (column, value) => sql`${column} = any(${value})`
const byOverlap: Kind['matches'] = (column, value) => sql`${column} && ${value}`
const never: Kind['matches'] = () => sql`false`

const asText: Kind['cell'] = (value, words) =>
  Array.isArray(value) ? words.join(value.map((each) => words.named(each))) : words.named(value)
const asNumber: Kind['cell'] = (value) => (typeof value === 'number' ? value : String(value))
const asTyped = (text: string) => text
const allOf = (text: string, read: (part: string) => unknown) => {
  const values = splitList(text).map(read)
  return values.includes(unreadable) ? unreadable : values
}
const readNumber = (text: string) => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : unreadable)
const fixed = (text: string) => () => text
const sampled = (what: Parameters<ExampleWords['sample']>[0]) => (words: ExampleWords) => words.sample(what)

const text: Kind = {
  column: () => 'text',
  matches: byPart,
  cell: asText,
  read: asTyped,
  example: sampled('text'),
}
const words: Kind = {
  column: ofOptions,
  matches: byAnyOf,
  cell: (value, { word }) => word(value),
  read: (cell, { word }) => word(cell),
  example: ({ word }) => word(),
}
const wordLists: Kind = {
  ...words,
  column: (field) => `${ofOptions(field)}[]`,
  matches: byOverlap,
  cell: (value, { word, join }) => join((value as unknown[]).map(word)),
  read: (cell, { word }) => allOf(cell, word),
}
const number: Kind = {
  column: ({ max = Infinity }) => (max > largestInteger ? 'bigint' : 'integer'),
  matches: byWhole,
  cell: asNumber,
  read: (cell) => (/^-?\d+(\.0+)?$/.test(cell) ? Number(cell) : unreadable),
  example: (_, { min = 0 }) => String(min),
}
const file: Kind = {
  ...text,
  column: () => 'bigint',
  matches: never,
  cell: (value) => (value as FileValue).name,
  // A sheet holds no files.
  read: () => unreadable,
  example: fixed(''),
}
const lines: Kind = { ...text, column: () => 'text[]', read: splitList }

/** Everything the server does with a value because of its kind. A kind that is missing here does not compile. */
export const kinds: Readonly<Record<FieldKind, Kind>> = {
  text,
  longText: text,
  mono: { ...text, example: sampled('mono') },
  masked: { ...text, matches: never },
  json: text,
  colour: { ...text, example: fixed('#2457e6') },
  mobile: { ...text, example: fixed('13800138000') },
  url: { ...text, example: fixed('https://example.com/') },
  ipList: { ...lines, example: fixed('192.168.0.0/16') },
  lines,
  names: { ...text, column: () => 'jsonb' },
  number,
  decimal: {
    ...number,
    column: ({ digits = 2 }) => `numeric(18, ${digits})`,
    matches: byEqual,
    read: readNumber,
  },
  // In a file people read and write whole units, never cents.
  money: {
    ...number,
    cell: (value) => Number(value) / 100,
    read: (cell) => {
      const amount = readNumber(cell)
      return amount === unreadable ? unreadable : Math.round(Number(amount) * 100)
    },
  },
  switch: {
    column: () => 'boolean',
    matches: byEqual,
    cell: (value, { yesNo }) => yesNo(value),
    read: (cell, { yesNo }) => yesNo(cell),
    example: ({ no }) => no(),
  },
  choice: words,
  choices: wordLists,
  dictionary: { ...words, column: () => 'integer' },
  dictionaries: { ...wordLists, column: () => 'integer[]' },
  weekdays: {
    ...wordLists,
    column: () => 'integer[]',
    cell: (value, { join }) => join((value as number[]).map(String)),
    read: (cell) => allOf(cell, readNumber),
    example: fixed('1, 2, 3, 4, 5'),
  },
  ref: {
    ...text,
    column: () => 'bigint',
    matches: byAnyOf,
    example: (words, { place }) => words.sample(place ? 'place' : 'name'),
  },
  refs: {
    ...text,
    column: () => 'bigint[]',
    matches: byOverlap,
    example: sampled('name'),
  },
  timestamp: {
    ...text,
    column: () => 'timestamptz',
    cell: (value, { moment }) => moment(value),
    read: (cell, { since1904 }) => readTime(cell, since1904),
    example: fixed('2026-09-01 08:30'),
  },
  date: {
    ...text,
    column: () => 'date',
    cell: dateCell,
    read: (cell, { since1904 }) => readDate(cell, since1904),
    example: fixed('2026-09-01'),
  },
  monthDay: { ...text, read: (cell, { since1904 }) => readMonthDay(cell, since1904), example: fixed('09-01') },
  timeOfDay: { ...text, read: (cell) => readTimeOfDay(cell), example: fixed('08:30') },
  location: {
    ...text,
    column: () => 'jsonb',
    matches: never,
    cell: (value) => {
      const { latitude, longitude } = value as { latitude: number; longitude: number }
      return `${latitude}, ${longitude}`
    },
    read: (cell) => {
      const [latitude, longitude, more] = cell.split(/[,，\s]+/).map(Number)
      return Number.isFinite(latitude) && Number.isFinite(longitude) && more === undefined
        ? { latitude, longitude }
        : unreadable
    },
    example: fixed('31.2304, 121.4737'),
  },
  group: { ...text, column: () => 'jsonb', matches: never, cell: (value) => JSON.stringify(value) },
  object: { ...text, column: () => 'jsonb', matches: never, cell: (value) => JSON.stringify(value) },
  file,
  image: file,
  upload: { ...number, column: () => 'bigint', matches: never, read: () => unreadable, example: fixed('') },
  secret: { ...text, column: () => 'text', matches: never, cell: () => null, example: fixed('') },
}
