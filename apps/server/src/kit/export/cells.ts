import { type Field, optionKey, type Resource } from '@campanile/contract'
import type { Cell } from '../../platform/sheet/write.ts'
import { type Language, textOf } from '../../platform/texts.ts'
import { type CellWords, kinds } from '../kinds.ts'
import { momentCell } from '../sheet-values.ts'

export interface Names {
  readonly en: string
  readonly 'zh-cn': string
  readonly 'zh-tw': string
}
/** The editable code tables as they are now. */
export type CodeTables = readonly { readonly dictionary: string; readonly code: number; readonly label: Names }[]

export const nameIn = (names: Names, language: Language): string => names[language.toLowerCase() as keyof Names]

/** Minutes are cut off: zones have changed by odd seconds only before there were devices. */
const offsetsOf = (timeZone: string) => {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  const known = new Map<number, number>()
  return (ms: number): number => {
    const quarter = Math.floor(ms / 900_000)
    const cached = known.get(quarter)
    if (cached !== undefined) return cached
    const part = format.formatToParts(quarter * 900_000).find(({ type }) => type === 'timeZoneName')?.value ?? ''
    const [, sign, hours = 0, minutes = 0] = /([+-])(\d\d):(\d\d)/.exec(part) ?? []
    const offset = (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1)
    known.set(quarter, offset)
    return offset
  }
}

export interface Wording {
  readonly language: Language
  readonly timeZone: string
  readonly codes: CodeTables
}

/** How the rows of a resource read in a spreadsheet: the words of a language, the clock of a place. */
export const createCells = (resource: Resource, { language, timeZone, codes }: Wording) => {
  const offset = offsetsOf(timeZone)
  const labels = new Map(codes.map((each) => [`${each.dictionary}.${each.code}`, nameIn(each.label, language)]))
  const comma = textOf('kit.value.comma', language)
  const field = (name: string) => textOf(`${resource.name}.field.${name}`, language)

  // Never blank: a code nobody has named is shown as it is.
  const unknown = (name: string, code: unknown) =>
    textOf('kit.value.unknownCode', language, { label: field(name), code })
  const option = (name: string, value: unknown) => {
    const key = optionKey(resource, name, value as string | number)
    const text = textOf(key, language)
    return text === key ? unknown(name, value) : text
  }
  const worded = (keys: readonly string[], values: Readonly<Record<string, unknown>>) =>
    keys.map((key) => [key, textOf(key, language, values)]).find(([key, text]) => text !== key)?.[1]
  const code = (name: string, dictionary: string, value: unknown) =>
    labels.get(`${dictionary}.${value}`) ?? unknown(name, value)
  const wordsOf = (name: string, { dictionary }: Field): CellWords => ({
    word: (value) => (dictionary === undefined ? option(name, value) : code(name, dictionary, value)),
    yesNo: (value) => textOf(value ? 'kit.value.yes' : 'kit.value.no', language),
    // Among names as people gave them, those the product gives itself stand in every language.
    named: (value) => (typeof value === 'object' && value !== null ? nameIn(value as Names, language) : String(value)),
    moment: (value) => {
      const ms = Date.parse(String(value))
      return Number.isNaN(ms) ? String(value) : momentCell(ms, offset(ms))
    },
    join: (values) => values.join(comma),
  })

  return {
    field,
    header: (name: string) =>
      resource.fields[name]?.kind === 'timestamp' && timeZone !== 'UTC' ? `${field(name)} (${timeZone})` : field(name),
    row: (columns: readonly string[]) => {
      const writers = columns.map((name) => {
        const spec = resource.fields[name] as Field
        const shown = spec.nameField ?? name
        const words = wordsOf(name, spec)
        const { cell } = kinds[spec.kind]
        const { giving } = spec
        return (row: Readonly<Record<string, unknown>>) => {
          if (giving && row[name] === giving.value && row[giving.field] === giving.where)
            return option(giving.field, giving.where)
          const value = row[shown] ?? null
          if (value === null) return null
          return cell(spec.wordKeys ? (worded(spec.wordKeys(String(value)), row) ?? value) : value, words)
        }
      })
      return (row: Readonly<Record<string, unknown>>): Cell[] => writers.map((write) => write(row))
    },
  }
}
