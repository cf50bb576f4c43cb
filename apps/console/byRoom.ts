import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

type Texts = { [key: string]: string | Texts }

const contract = new URL('../../packages/contract/src/', import.meta.url)
const domains = new URL('src/domains/', import.meta.url)
const languages = ['en', 'zh-CN', 'zh-TW']
/** What only the server says: mails, sheets, notifications, answers to devices. */
const unheard = 'server'

const foldersIn = (folder: URL) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
const textOfFile = (file: URL) => readFileSync(file, 'utf8')

const roomsOf = (language: string) =>
  foldersIn(new URL(`texts/${language}/`, contract)).filter((room) => room !== unheard)

/** The texts of one room, by the names of its files. */
const roomTexts = (language: string, room: string): Record<string, Texts> => {
  const folder = new URL(`texts/${language}/${room}/`, contract)
  return Object.fromEntries(
    readdirSync(folder).map((file) => [
      file.replace('.json', ''),
      JSON.parse(textOfFile(new URL(file, folder))) as Texts,
    ]),
  )
}

const find = (texts: Texts, key: string) =>
  key
    .split('.')
    .reduce<string | Texts | undefined>((at, step) => (typeof at === 'object' ? at[step] : undefined), texts)

const put = (texts: Texts, key: string, text: string) => {
  const steps = key.split('.')
  const last = steps.pop() ?? ''
  let at = texts
  for (const step of steps) {
    at[step] ??= {}
    at = at[step] as Texts
  }
  at[last] = text
}

/** The keys under which the rooms' own lists of screens name them. */
const titleKeys = () =>
  foldersIn(domains).flatMap((room) =>
    [...textOfFile(new URL(`${room}/index.tsx`, domains)).matchAll(/titleKey: '([^']+)'/g)].map(([, key = '']) => key),
  )

/** What every screen and every kind of row is called: tabs, crumbs and the operation log name rooms that are not open. */
const names = (language: string): Texts => {
  const all: Texts = Object.assign({}, ...roomsOf(language).map((room) => roomTexts(language, room)))
  const picked: Texts = {}
  for (const key of [...Object.keys(all).map((word) => `${word}.title`), ...titleKeys()]) {
    const text = find(all, key)
    if (typeof text === 'string') put(picked, key, text)
  }
  return picked
}

/** What devices can be told and tell, whichever room declares it: its names of commands and events, and what they borrow. */
const spoken = (language: string): Texts => {
  const ofRooms = (rooms: readonly string[]): Texts =>
    Object.assign({}, ...rooms.map((room) => roomTexts(language, room)))
  const all = ofRooms(roomsOf(language))
  // Whoever shows commands or events has these two by their own names.
  const later = ofRooms(roomsOf(language).filter((room) => room !== 'command' && room !== 'device'))
  const words = Object.entries(later).flatMap(([word, texts]) =>
    typeof texts === 'object' && (typeof texts.name === 'object' || typeof texts.event === 'object') ? [word] : [],
  )
  const text = JSON.stringify(words.map((word) => all[word]))
  const borrowed = [...text.matchAll(/\$t\((\w+)\./g)].map(([, word = '']) => word)
  return Object.fromEntries([...words, ...borrowed].map((word) => [word, all[word] ?? {}]))
}

/** Every code there is, for whoever reads what others were answered. */
const errors = (language: string): Texts => ({
  error: Object.assign({}, ...roomsOf(language).map((room) => roomTexts(language, room).error)) as Texts,
})

const gathered: Record<string, (language: string) => Texts> = { names, errors, spoken }

const textsModule = (language: string, room: string) =>
  `export default JSON.parse(${JSON.stringify(JSON.stringify(gathered[room]?.(language) ?? roomTexts(language, room)))})`

/** What the sign-in page and the shell say: their places are known from the beginning. */
const atOnce = ['signIn', 'shell', 'kit', 'api', 'names']
const isAtOnce = (room: string) => atOnce.includes(room)
const places = (language: string, rooms: readonly string[]) =>
  `{ ${rooms.map((room) => `${JSON.stringify(room)}: () => import('virtual:texts/${language}/${room}')`)} }`

/** Each place is the name of a file, which does not pack: those of all other rooms come in one language, behind the shell. */
const textsOfRooms = (language: string) => {
  const rooms = [...roomsOf(language), ...Object.keys(gathered)].filter((room) => !isAtOnce(room))
  return `export const texts = ${places(language, rooms)}`
}
const textsList = () => {
  const each = (text: (language: string) => string) =>
    `{ ${languages.map((language) => `'${language}': ${text(language)}`)} }`
  return `export const atOnce = ${each((language) => places(language, atOnce))}
export const ofRooms = ${each((language) => `() => import('virtual:texts/${language}')`)}`
}

export interface DeclaredPlace {
  name: string
  room: string
  file: string
  /** Where its list stands, when its declaration says so. */
  url: string | undefined
  /** The palette finds its rows. */
  found: boolean
}

/** Every declared kind of row, read from the declarations' files without loading them. */
export const declaredPlaces = (): DeclaredPlace[] =>
  foldersIn(contract)
    .filter((room) => room !== 'texts' && room !== 'kit')
    .flatMap((room) => {
      const folder = new URL(`${room}/`, contract)
      return readdirSync(folder)
        .filter((file) => /^[^.]+\.resource\.ts$/.test(file))
        .flatMap((file) => {
          const [, ...declarations] = textOfFile(new URL(file, folder)).split(/defineResource\(\{\s*name: (?=')/)
          return declarations.map((text) => ({
            name: /^'(\w+)'/.exec(text)?.[1] ?? '',
            room,
            file: fileURLToPath(new URL(file, folder)),
            url: /^ {2}menu: \{[^}]*\burl: '([^']+)'/m.exec(text)?.[1],
            found: /^ {2}palette: \{/m.test(text),
          }))
        })
    })

const declaredModule = () =>
  `export const declared = { ${declaredPlaces().map(
    ({ name, room, file, url, found }) =>
      `${name}: { room: '${room}', url: ${JSON.stringify(url)}, found: ${found}, load: () => import(${JSON.stringify(file)}) }`,
  )} }`

/**
 * Modules made from the contract's folders, so that a screen fetches its own room and no other:
 * `virtual:texts` (texts by language and room; those of one language in `virtual:texts/<language>`) and `virtual:declared` (where each kind of row is declared).
 */
export const byRoom = (): Plugin => ({
  name: 'by-room',
  resolveId: (id) => (/^virtual:(texts|declared)/.test(id) ? `\0${id}` : undefined),
  load(id) {
    if (id === '\0virtual:declared') return declaredModule()
    if (id === '\0virtual:texts') return textsList()
    const [, whole] = /^\0virtual:texts\/([\w-]+)$/.exec(id) ?? []
    if (whole !== undefined) return textsOfRooms(whole)
    const [, language, room] = /^\0virtual:texts\/([\w-]+)\/(\w+)$/.exec(id) ?? []
    return language !== undefined && room !== undefined ? textsModule(language, room) : undefined
  },
})
