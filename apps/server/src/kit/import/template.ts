import type { Readable } from 'node:stream'
import { type Field, optionKey, type Resource } from '@campanile/contract'
import { type Cell, writeWorkbook } from '../../platform/sheet/write.ts'
import { type Language, languages, textOf } from '../../platform/texts.ts'
import { type CodeTables, nameIn } from '../export/cells.ts'
import { kinds } from '../kinds.ts'
import { importColumns, isRequired } from './columns.ts'

/** One row that shows how; an upload that still holds it is read as if it did not. */
const exampleRow = (resource: Resource, language: Language, codes: CodeTables): Record<string, string> => {
  const word = (name: string, field: Field): string => {
    const first = field.options?.find((option) => option === field.initial) ?? field.options?.[0]
    return kinds[field.kind].example(
      {
        word: () => {
          const entry = codes.find((each) => each.dictionary === field.dictionary)
          if (field.dictionary !== undefined) return entry ? nameIn(entry.label, language) : ''
          return textOf(optionKey(resource, name, first ?? ''), language)
        },
        no: () => textOf('kit.value.no', language),
        sample: (what) => textOf(`sheet.example.${what}`, language),
      },
      field,
    )
  }
  const shown = importColumns(resource).map((name) => [name, word(name, resource.fields[name] as Field)] as const)
  return Object.fromEntries(shown.filter(([, text]) => text !== ''))
}

export const createIsExample = (resource: Resource, codes: CodeTables) => {
  const flat = (texts: Readonly<Record<string, string>>) => JSON.stringify(Object.entries(texts).sort())
  const examples = new Set(languages.map((language) => flat(exampleRow(resource, language, codes))))
  return (texts: Readonly<Record<string, string>>) => examples.has(flat(texts))
}

export const hint = (field: Field, language: Language, word: string) => {
  const values = {
    min: field.min,
    max: field.max,
    yes: textOf('kit.value.yes', language),
    no: textOf('kit.value.no', language),
  }
  const key = `sheet.hint.${word}`
  const text = textOf(key, language, values)
  return text === key ? textOf('sheet.hint.text', language, { max: field.max ?? 128 }) : text
}

export const allowed = (resource: Resource, name: string, language: Language, codes: CodeTables): string[] => {
  const field = resource.fields[name] as Field
  if (field.dictionary)
    return codes.filter((each) => each.dictionary === field.dictionary).map((each) => nameIn(each.label, language))
  return (field.options ?? []).map((option) => textOf(optionKey(resource, name, option), language))
}

/** The file people fill in: what is required is marked, and the second sheet says what each column takes. */
export const writeTemplate = (
  resource: Resource,
  language: Language,
  codes: CodeTables,
  { generated, under }: { generated: readonly string[]; under: string | undefined },
): Readable => {
  const names = importColumns(resource)
  const fields = names.map((name) => resource.fields[name] as Field)
  const label = (name: string) => textOf(`${resource.name}.field.${name}`, language)
  const columns = names.map((name, index) => ({
    header: `${label(name)}${isRequired(fields[index] as Field) && !generated.includes(name) ? ' *' : ''}`,
    width: 22,
  }))
  const example = exampleRow(resource, language, codes)
  const lists = names.map((name) => allowed(resource, name, language, codes))
  const longest = Math.max(0, ...lists.map((list) => list.length))
  const values: Cell[][] = [
    names.map((name, index) => {
      const list = lists[index] ?? []
      const field = fields[index] as Field
      const kind = field.place ? 'place' : field.kind
      const word = generated.includes(name) ? 'generated' : name === under ? 'under' : kind
      return list.length > 0 ? null : hint(field, language, word)
    }),
    ...Array.from({ length: longest }, (_, row) => lists.map((list) => list[row] ?? null)),
  ]
  return writeWorkbook([
    {
      name: textOf(`${resource.name}.title`, language),
      columns,
      batches: [[names.map((name) => example[name] ?? null)]],
    },
    {
      name: textOf('sheet.values', language),
      columns: names.map((name) => ({ header: label(name), width: 28 })),
      batches: [values],
    },
  ])
}
