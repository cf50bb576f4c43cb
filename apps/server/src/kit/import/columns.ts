import { type Field, type FieldKind, optionKey, type Resource } from '@campanile/contract'
import { languages, textOf } from '../../platform/texts.ts'
import type { CodeTables } from '../export/cells.ts'
import { kinds } from '../kinds.ts'
import { folded } from '../path-text.ts'
import { unreadable } from '../sheet-values.ts'

const notInSheets: readonly FieldKind[] = ['file', 'image', 'names']

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
/** Reads cells into values. Labels may be in any language or be the code itself; references are looked up elsewhere. */
export const createValueReader = (resource: Resource, codes: CodeTables) => {
  const words = new Map<string, Map<string, string | number>>()
  for (const name of importColumns(resource)) {
    const field = resource.fields[name] as Field
    const labels = new Map<string, string | number>()
    for (const option of field.options ?? []) {
      for (const language of languages) labels.set(folded(textOf(optionKey(resource, name, option), language)), option)
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
  return (name: string, text: string, since1904 = false): unknown =>
    kinds[(resource.fields[name] as Field).kind].read(text, {
      word: (word) => words.get(name)?.get(folded(word)) ?? unreadable,
      yesNo: (word) => switches.get(folded(word)) ?? unreadable,
      since1904,
    })
}
