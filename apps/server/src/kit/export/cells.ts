import type { Field, Resource } from '@campanile/contract'
import type { Cell } from '../../platform/sheet/write.ts'
import { type Language, textOf } from '../../platform/texts.ts'

export interface Names {
  readonly en: string
  readonly 'zh-cn': string
  readonly 'zh-tw': string
}
/** The editable code tables as they are now. */
export type CodeTables = readonly { readonly dictionary: string; readonly code: number; readonly label: Names }[]

export const nameIn = (names: Names, language: Language): string => names[language.toLowerCase() as keyof Names]

/** Days since 1899-12-30, where spreadsheets begin to count. */
const epochDay = 25_569
const dayMs = 86_400_000

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
    const key = `${resource.name}.option.${name}.${value}`
    const text = textOf(key, language)
    return text === key ? unknown(name, value) : text
  }
  const code = (name: string, dictionary: string | undefined, value: unknown) =>
    labels.get(`${dictionary}.${value}`) ?? unknown(name, value)
  const all = (value: unknown, word: (each: unknown) => string) => (value as unknown[]).map(word).join(comma)
  /** Among names as people gave them, those the product gives itself stand in every language. */
  const word = (each: unknown) =>
    typeof each === 'object' && each !== null ? nameIn(each as Names, language) : String(each)
  const moment = (value: unknown): Cell => {
    const ms = Date.parse(String(value))
    return Number.isNaN(ms)
      ? String(value)
      : { serial: (Math.floor(ms / 1000) * 1000 + offset(ms)) / dayMs + epochDay, shows: 'dateTime' }
  }

  const cellOf = (name: string, spec: Field, row: Readonly<Record<string, unknown>>): Cell => {
    const value = row[spec.nameField ?? name] ?? null
    if (value === null) return null
    switch (spec.kind) {
      case 'number':
        return typeof value === 'number' ? value : String(value)
      case 'switch':
        return textOf(value ? 'kit.value.yes' : 'kit.value.no', language)
      case 'choice':
        return option(name, value)
      case 'choices':
        return all(value, (each) => option(name, each))
      case 'dictionary':
        return code(name, spec.dictionary, value)
      case 'dictionaries':
        return all(value, (each) => code(name, spec.dictionary, each))
      case 'timestamp':
        return moment(value)
      case 'date':
        return { serial: Date.parse(`${value}T00:00:00Z`) / dayMs + epochDay, shows: 'date' }
      case 'names':
        return nameIn(value as Names, language)
      case 'secret':
        return null
      default:
        return Array.isArray(value) ? all(value, word) : String(value)
    }
  }

  return {
    field,
    header: (name: string) =>
      resource.fields[name]?.kind === 'timestamp' && timeZone !== 'UTC' ? `${field(name)} (${timeZone})` : field(name),
    row: (columns: readonly string[]) => {
      const specs = columns.map((name) => [name, resource.fields[name] as Field] as const)
      return (row: Readonly<Record<string, unknown>>): Cell[] => specs.map(([name, spec]) => cellOf(name, spec, row))
    },
  }
}
