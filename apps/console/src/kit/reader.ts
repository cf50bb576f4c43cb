import { type Field, optionKey, type Resource } from '@campanile/contract/kit'
import { dictionaries } from '@campanile/contract/system'
import { useQuery } from '@tanstack/react-query'
import type { i18n as I18n } from 'i18next'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type Localised, pickText } from '../shell/localised.ts'
import { currentLanguage } from '../shell/texts.ts'
import { calls } from './calls.ts'
import { timeText } from './time.ts'

export type AnyRow = { readonly id: number } & Readonly<Record<string, unknown>>
type CodeTables = Awaited<ReturnType<typeof loadCodeTables>>

const loadCodeTables = async () => (await calls.call(dictionaries, {})).rows

export const codeTablesKey = ['codeTables']

/** Editable code tables, loaded once a session and again when a screen is opened five minutes later. */
export const useCodeTables = (needed = true) =>
  useQuery({
    queryKey: codeTablesKey,
    queryFn: loadCodeTables,
    staleTime: 5 * 60_000,
    enabled: needed,
  }).data

/** Everything a declaration says, in the words of the current language. Keys are derived, never written. */
export const createReader = (resource: Resource, i18n: I18n, tables?: CodeTables) => {
  const t = (path: string, values: Record<string, unknown> = {}): string => i18n.t(path, values)
  const language = currentLanguage()
  const key = (...parts: (string | number)[]) => [resource.name, ...parts].join('.')
  const maybe = (path: string, values: Record<string, unknown> = {}) =>
    i18n.exists(path, values) ? t(path, values) : undefined
  const number = new Intl.NumberFormat(language)
  const field = (name: string) => t(key('field', name))
  // Never blank: a code nobody has named yet is shown as it is.
  const unknown = (name: string, code: unknown) => t('kit.value.unknownCode', { label: field(name), code })
  const labels = new Map(tables?.map((each) => [`${each.dictionary}.${each.code}`, pickText(each.label, language)]))

  // Said in every row, several times a second where values change.
  const options = new Map<string, string>()
  const option = (name: string, value: string | number) => {
    const known = options.get(`${name} ${value}`)
    if (known !== undefined) return known
    const word = maybe(optionKey(resource, name, value))
    if (word !== undefined) options.set(`${name} ${value}`, word)
    return word ?? unknown(name, value)
  }
  const around = new Map<string, readonly string[]>()
  const named = (path: string, name: string) => {
    const words = around.get(path) ?? t(path, { name: '\n' }).split('\n')
    around.set(path, words)
    return words.join(name)
  }
  const code = (name: string, value: unknown) =>
    labels.get(`${resource.fields[name]?.dictionary}.${value}`) ?? unknown(name, value)

  return {
    resource,
    t,
    /** A text with a name in it, for what is said of every row: it is looked up once for all names. */
    named,
    /** Nothing where there is no such text, or its room is not open. */
    maybe,
    language,
    title: t(key('title')),
    field,
    help: (name: string) => maybe(key('help', name)),
    /** How a filter that takes more than a part of the text is written. */
    hint: (name: string) => maybe(key('hint', name)),
    /** Why a field is fixed after the first save, where the declaration's texts know a way to change it all the same. */
    locked: (name: string) => maybe(key('locked', name)) ?? t('kit.form.locked'),
    group: (name: string) => t(key('group', name)),
    option,
    code,
    /** What a choice or a code is called. */
    value: (name: string, value: string | number) => (resource.fields[name]?.dictionary ? code : option)(name, value),
    codesOf: (name: string) =>
      (tables ?? [])
        .filter((each) => each.dictionary === resource.fields[name]?.dictionary && each.enabled)
        .sort((a, b) => a.orderNum - b.orderNum || a.code - b.code)
        .map((each) => each.code),
    action: (name: string, count?: number) => t(key('action', name), count === undefined ? {} : { count }),
    empty: t(key('empty')),
    count: (count: number) => t(key('count'), { count, shown: number.format(count) }),
    number: (value: number) => number.format(value),
    decimal: (value: number, digits: number) =>
      new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value),
    /** 1 is Monday; the first of January 2024 was one. */
    weekday: (day: number) =>
      new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' }).format(Date.UTC(2024, 0, day)),
    names: (value: Localised) => pickText(value, language) ?? '',
    identity: (row: AnyRow) =>
      plainText(row[resource.identity], resource.fields[resource.identity], language) || `#${row.id}`,
  }
}
export type Reader = ReturnType<typeof createReader>

const plainText = (value: unknown, field: Field | undefined, language: ReturnType<typeof currentLanguage>): string => {
  if (value === null || value === undefined) return ''
  if (field?.kind === 'timestamp') return timeText(new Date(String(value)))
  if (typeof value === 'object') return pickText(value as Localised, language) ?? ''
  return String(value)
}

const hasCodes = (field: Field) => field.dictionary !== undefined

export const useReader = (resource: Resource): Reader => {
  const { i18n } = useTranslation()
  const tables = useCodeTables(Object.values(resource.fields).some(hasCodes))
  // i18n keeps its identity when its language changes, so the language is asked beside it.
  return useMemo(() => createReader(resource, i18n, tables), [resource, i18n, i18n.language, tables])
}
