import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { textKeyOf } from '@campanile/contract'

type Texts = { [key: string]: string | Texts }
export const languages = ['en', 'zh-CN', 'zh-TW'] as const
export type Language = (typeof languages)[number]

const folder = join(dirname(createRequire(import.meta.url).resolve('@campanile/contract/package.json')), 'src/texts')

/** One folder a room; the codes of all rooms are one table. */
const load = (language: Language): Texts => {
  const texts: Record<string, Texts> = {}
  for (const file of readdirSync(join(folder, language), { recursive: true, encoding: 'utf8' }))
    if (file.endsWith('.json')) {
      const word = basename(file, '.json')
      texts[word] = { ...texts[word], ...(JSON.parse(readFileSync(join(folder, language, file), 'utf8')) as Texts) }
    }
  return texts
}

/** The same files the console shows, read once. */
const texts = Object.fromEntries(languages.map((language) => [language, load(language)])) as Record<Language, Texts>

const find = (language: Language, key: string): string | undefined => {
  let at: string | Texts | undefined = texts[language]
  for (const step of key.split('.')) at = typeof at === 'object' ? at[step] : undefined
  return typeof at === 'string' ? at : undefined
}

const filled = (text: string, values: Readonly<Record<string, unknown>>) =>
  text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => (values[name] === undefined ? whole : String(values[name])))

/** As i18next does it on the screen: of a text for one and one for many, that of the `count`; for many where nobody has counted. */
const findCounted = (language: Language, key: string, count: unknown): string | undefined => {
  const form = typeof count === 'number' ? new Intl.PluralRules(language).select(count) : 'other'
  return find(language, key) ?? find(language, `${key}_${form}`)
}

/** Text of a key in a person's language, in English where it is missing, the key itself where there is none. */
export const textOf = (
  key: string,
  language: Language,
  values: Readonly<Record<string, unknown>> = {},
  count = values.count,
): string => filled(findCounted(language, key, count) ?? findCounted('en', key, count) ?? key, values)

export const errorText = (code: number, language: Language, values: Readonly<Record<string, unknown>> = {}): string =>
  textOf(textKeyOf(code, values), language, values)

/** For whoever writes a device's client, who has no page to reload. Codes that are theirs alone have one text only. */
export const deviceErrorText: typeof errorText = (code, language, values = {}) => {
  const key = textKeyOf(code, values)
  const own = key.replace(/^error\./, 'deviceError.')
  return textOf(find('en', own) === undefined ? key : own, language, values)
}
