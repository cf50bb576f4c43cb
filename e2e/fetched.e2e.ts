import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { kib, readBuild, type Screen, screens, textOfFile } from '../apps/console/fetched.ts'

// Reads the console that was built for the journeys; no browser is needed to see what it would fetch.

const contract = new URL('../packages/contract/src/', import.meta.url)
const rooms = readdirSync(contract, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !['kit', 'texts', 'test', 'api'].includes(entry.name))
  .map((entry) => entry.name)
const sourcesOf = (room: string) =>
  readdirSync(new URL(`${room}/`, contract))
    .filter((file) => !file.includes('.test.'))
    .map((file) => readFileSync(new URL(`${room}/${file}`, contract), 'utf8'))

/** The declarations of a room, as they look in a built file. */
const marksOf = (room: string) =>
  sourcesOf(room)
    .flatMap((text) => [...text.matchAll(/\n {2}name: '(\w+)',\n {2}(wire|method):/g)])
    .map(([, name, next]) => new RegExp(`name:["'\`]${name}["'\`],${next}:`))
/** Rooms whose declarations a room's own are written with. */
const writtenWith = (room: string) =>
  sourcesOf(room).flatMap((text) =>
    [...text.matchAll(/import \{[^}]*\} from '\.\.\/(\w+)\//g)].map(([, other = '']) => other),
  )
const marks = new Map(rooms.map((room) => [room, marksOf(room)]))
/** What every list uses whatever it lists: saved views, places, code tables. */
const ofKit = ['identity', 'organisation', 'system']

const closure = (start: readonly string[]): Set<string> => {
  const seen = new Set<string>()
  const visit = (room: string) => {
    if (seen.has(room)) return
    seen.add(room)
    if (rooms.includes(room)) for (const next of writtenWith(room)) visit(next)
  }
  for (const room of start) visit(room)
  return seen
}

const build = readBuild()
/** Which rooms the files hold something of; most files are fetched by most screens, so each is read once. */
const reader = (roomsIn: (code: string) => string[]) => {
  const read = new Map<string, string[]>()
  return (files: readonly string[]): string[] => {
    for (const file of files) if (!read.has(file)) read.set(file, roomsIn(textOfFile(file)))
    return [...new Set(files.flatMap((file) => read.get(file) ?? []))]
  }
}
const held = reader((code) => rooms.filter((room) => marks.get(room)?.some((mark) => mark.test(code))))
const wordRooms = readdirSync(new URL('texts/en/', contract))
/** Sentences of a room's texts, as they stand in a built file. */
const sentencesOf = (room: string) => {
  const folder = new URL(`texts/en/${room}/`, contract)
  const found = (value: unknown): string[] =>
    typeof value === 'string'
      ? /^[A-Za-z ,.]{30,}$/.test(value)
        ? [value]
        : []
      : Object.values(value as object).flatMap(found)
  return readdirSync(folder).flatMap((file) => found(JSON.parse(readFileSync(new URL(file, folder), 'utf8'))))
}
const sentences = new Map(wordRooms.map((room) => [room, sentencesOf(room)]))
const filesOf = (room: string) =>
  readdirSync(new URL(`texts/en/${room}/`, contract))
    .map((file) => readFileSync(new URL(`texts/en/${room}/${file}`, contract), 'utf8'))
    .join('')
const whole = new Map(wordRooms.map((room) => [room, filesOf(room)]))
/** Said by another room too, alone or as part of something longer. */
const inOthers = (room: string, sentence: string) =>
  wordRooms.some((other) => other !== room && whole.get(other)?.includes(sentence))
const ownSentences = new Map(
  wordRooms.map((room) => [room, sentences.get(room)?.filter((sentence) => !inOthers(room, sentence)) ?? []]),
)
const told = reader((code) =>
  wordRooms.filter((room) => ownSentences.get(room)?.some((sentence) => code.includes(sentence))),
)

/** Rooms that name commands or events of devices: where those are shown, so are their words. */
const speaking = wordRooms.filter((room) =>
  readdirSync(new URL(`texts/en/${room}/`, contract)).some((file) => {
    const { name, event } = JSON.parse(readFileSync(new URL(`texts/en/${room}/${file}`, contract), 'utf8'))
    return typeof name === 'object' || typeof event === 'object'
  }),
)

/** Rooms with screens; the others have words only. */
const drawn = new Set(readdirSync(new URL('../apps/console/src/domains/', import.meta.url)))
/** Rooms whose declarations a room's screens name themselves. */
const namedBy = (room: string) => {
  const folder = new URL(`../apps/console/src/domains/${room}/`, import.meta.url)
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.'))
    .flatMap((file) =>
      [
        ...readFileSync(new URL(file, folder), 'utf8').matchAll(/import \{[^}]*\} from '@campanile\/contract\/(\w+)'/g),
      ].map(([, other = '']) => other),
    )
}

/** KiB with gzip, texts of one language included. */
const limits = { signIn: 150, shell: 260, list: 351, withHead: 352 }
const isList = ({ room, name }: Screen) =>
  readFileSync(new URL(`../apps/console/src/domains/${room}/${name}`, import.meta.url), 'utf8').includes('<ListScreen')

describe('what a browser fetches', () => {
  it('is little to sign in and for the shell', () => {
    expect(kib(build.signIn())).toBeLessThan(limits.signIn)
    expect(kib(build.shell())).toBeLessThan(limits.shell)
  })

  it('is little for a list, drawn by its room or by nobody', () => {
    expect(kib(build.declaredList())).toBeLessThan(limits.list)
    const sizes = screens()
      .filter(isList)
      .map((screen) => ({ name: `${screen.room}/${screen.name}`, size: kib(build.screen(screen)) }))
    expect(sizes.length).toBeGreaterThan(20)
    // A page about one thing, with a list below it, has its head besides.
    const isAboutOne = (name: string) => /(Detail|BrokerSuccess|BrokerFailure)Screen\.tsx$/.test(name)
    const limitOf = (name: string) => (isAboutOne(name) ? limits.withHead : limits.list)
    // What opens over a list comes late (docs/patterns-console.md, "Code that comes late").
    expect(sizes.filter(({ name, size }) => size >= limitOf(name))).toEqual([])
  })

  it('to sign in, and for the shell, holds no declaration of any room', () => {
    expect(held(build.signIn())).toEqual([])
    expect(held(build.shell())).toEqual([])
  })

  it.each(screens())('for $room/$name is of rooms it stands on', (screen) => {
    const files = build.screen(screen)
    const declared = closure([
      ...screen.rooms,
      ...screen.rooms.filter((room) => drawn.has(room)).flatMap(namedBy),
      ...ofKit,
    ])
    expect(held(files).filter((room) => !declared.has(room))).toEqual([])
    const worded = ['signIn', 'shell', 'kit', 'api', ...screen.rooms]
    if (worded.includes('spoken')) worded.push(...speaking)
    expect(told(files).filter((room) => !worded.includes(room))).toEqual([])
  })

  it('is found by these marks at all', () => {
    const [list] = screens().filter(({ name }) => name === 'list/DevicesScreen.tsx')
    expect(list && held(build.screen(list))).toContain('device')
    expect(list && told(build.screen(list))).toContain('device')
  })
})
