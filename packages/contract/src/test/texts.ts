import { readdirSync, readFileSync } from 'node:fs'

export type Texts = { [key: string]: string | Texts }
export const languages = ['en', 'zh-CN', 'zh-TW'] as const
export type Language = (typeof languages)[number]

const folder = new URL('../texts/', import.meta.url)

/** Every file of a language: the room it stands in, the word its keys begin with, and what it holds. */
export const textFiles = (language: Language) =>
  readdirSync(new URL(`${language}/`, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.json'))
    .sort()
    .map((path) => {
      const [room = '', file = ''] = path.split('/')
      const texts = JSON.parse(readFileSync(new URL(`${language}/${path}`, folder), 'utf8')) as Texts
      return { room, word: file.replace('.json', ''), texts }
    })

export const flatten = (texts: Texts, prefix = ''): [key: string, text: string][] =>
  Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [[prefix + key, value] as [string, string]] : flatten(value, `${prefix}${key}.`),
  )

/** Every text of a language by its whole key. */
export const textsOf = (language: Language): ReadonlyMap<string, string> =>
  new Map(textFiles(language).flatMap(({ word, texts }) => flatten(texts, `${word}.`)))
