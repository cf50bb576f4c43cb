import type { Field, FieldKind, Resource } from '@campanile/contract'
import { languages, textOf } from '../../platform/texts.ts'
import type { CodeTables } from '../export/cells.ts'
import { folded } from '../path-text.ts'

/** A cell that cannot be read by its column's kind. */
export const unreadable = Symbol('unreadable')

const notInSheets: readonly FieldKind[] = ['file', 'names']
export const references: readonly FieldKind[] = ['department', 'user', 'roles']

/** What a person may fill in, in the order of the form. */
export const importColumns = (resource: Resource): string[] => {
  const shown = Object.values(resource.form).flat()
  return (shown.length > 0 ? shown : Object.keys(resource.fields)).filter((name) => {
    const field = resource.fields[name]
    return field && field.writable !== 'never' && !notInSheets.includes(field.kind)
  })
}

export const isRequired = (field: Field) => field.required && !field.when && field.initial === undefined

/** `Login account *` and `登录账号` and `username` are the same column. */
const foldedHeader = (text: string) => folded(text).replace(/\s*\*$/, '')

/** Which column of a file is which field; a header may be in any language. Undefined: no field, null: a column to leave alone. */
export const createHeaderReader = (resource: Resource) => {
  const known = new Map<string, string | null>()
  for (const language of languages) {
    known.set(foldedHeader(textOf('sheet.reason', language)), null)
    for (const name of importColumns(resource))
      known.set(foldedHeader(textOf(`${resource.name}.field.${name}`, language)), name)
  }
  for (const name of importColumns(resource)) known.set(foldedHeader(name), name)
  return (header: string): string | null | undefined => known.get(foldedHeader(header))
}

const yes = ['true', '1', 'y']
const no = ['false', '0', 'n']
const dayMs = 86_400_000
const epochDay = 25_569

/** Spreadsheet programs turn what looks like a date into days since 1899-12-30. */
const fromSerial = (text: string) => {
  const days = Number(text)
  return days > 0 && days < 2_958_466 ? new Date(Math.round((days - epochDay) * dayMs)).toISOString() : undefined
}

const pad = (part: string) => part.padStart(2, '0')

const dateOf = (text: string): string | typeof unreadable => {
  const [, year = '', month = '', day = ''] = /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?$/.exec(text) ?? []
  return year ? `${year}-${pad(month)}-${pad(day)}` : (fromSerial(text)?.slice(0, 10) ?? unreadable)
}

const timestampOf = (text: string): string | typeof unreadable => {
  const parts = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})[T ](\d{1,2}):(\d\d)(?::(\d\d))?(Z|[+-]\d\d:?\d\d)?$/.exec(text)
  if (!parts) return fromSerial(text) ?? unreadable
  const [, year, month = '', day = '', hour = '', minute, second = '00', zone = 'Z'] = parts
  return `${year}-${pad(month)}-${pad(day)}T${pad(hour)}:${minute}:${second}${zone}`
}

const monthDayOf = (text: string): string | typeof unreadable => {
  const [, month = '', day = ''] = /^(\d{1,2})[-/.月](\d{1,2})日?$/.exec(text) ?? []
  return month ? `${pad(month)}-${pad(day)}` : (fromSerial(text)?.slice(5, 10) ?? unreadable)
}

export const splitList = (text: string) =>
  text
    .split(/[,，、;；\n]/)
    .map((part) => part.trim())
    .filter(Boolean)

/** Reads cells into values. Labels may be in any language or be the code itself; references are looked up elsewhere. */
export const createValueReader = (resource: Resource, codes: CodeTables) => {
  const words = new Map<string, Map<string, string | number>>()
  for (const name of importColumns(resource)) {
    const field = resource.fields[name] as Field
    const labels = new Map<string, string | number>()
    for (const option of field.options ?? []) {
      for (const language of languages)
        labels.set(folded(textOf(`${resource.name}.option.${name}.${option}`, language)), option)
      labels.set(folded(String(option)), option)
    }
    for (const { dictionary, code, label } of codes) {
      if (dictionary !== field.dictionary) continue
      for (const word of Object.values(label)) labels.set(folded(String(word)), code)
      labels.set(String(code), code)
    }
    words.set(name, labels)
  }
  const switches = new Map<string, boolean>([
    ...yes.map((word) => [word, true] as const),
    ...no.map((word) => [word, false] as const),
    ...languages.flatMap((language) => [
      [folded(textOf('kit.value.yes', language)), true] as const,
      [folded(textOf('kit.value.no', language)), false] as const,
    ]),
  ])
  const wordOf = (name: string, text: string) => words.get(name)?.get(folded(text)) ?? unreadable
  const all = (name: string, text: string) => {
    const values = splitList(text).map((part) => wordOf(name, part))
    return values.includes(unreadable) ? unreadable : values
  }

  return (name: string, text: string): unknown => {
    const field = resource.fields[name] as Field
    switch (field.kind) {
      case 'number':
        return /^-?\d+(\.0+)?$/.test(text) ? Number(text) : unreadable
      case 'switch':
        return switches.get(folded(text)) ?? unreadable
      case 'choice':
      case 'dictionary':
        return wordOf(name, text)
      case 'choices':
      case 'dictionaries':
        return all(name, text)
      case 'date':
        return dateOf(text)
      case 'timestamp':
        return timestampOf(text)
      case 'monthDay':
        return monthDayOf(text)
      case 'ipList':
        return splitList(text)
      default:
        return text
    }
  }
}
