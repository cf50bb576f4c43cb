import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readBuild, screens, textOfFile } from '../apps/console/fetched.ts'

// Reads the console that was built for the journeys; no browser is needed to see what it would fetch.

const contract = new URL('../packages/contract/src/', import.meta.url)
const rooms = readdirSync(contract, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !['kit', 'texts', 'test', 'gateway'].includes(entry.name))
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
const held = (files: readonly string[]) => {
  const code = files.map(textOfFile).join('\n')
  return rooms.filter((room) => marks.get(room)?.some((mark) => mark.test(code)))
}
/** The first words of a room's own file of texts, as they stand in a built file. */
const wordsOf = (room: string) => {
  const folder = new URL(`texts/en/${room}/`, contract)
  return readdirSync(folder).flatMap((file) => {
    const texts = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Record<string, unknown>
    const text = Object.entries(texts).find(([key, value]) => key !== 'title' && typeof value === 'string')?.[1]
    return typeof text === 'string' && text.length > 30 ? [text.slice(0, 30)] : []
  })
}
const told = (files: readonly string[]) => {
  const code = files.map(textOfFile).join('\n')
  return readdirSync(new URL('texts/en/', contract)).filter((room) =>
    wordsOf(room).some((words) => code.includes(words)),
  )
}

describe('what a browser fetches', () => {
  it('to sign in, and for the shell, holds no declaration of any room', () => {
    expect(held(build.signIn())).toEqual([])
    expect(held(build.shell())).toEqual([])
  })

  it.each(screens())('for $room/$name is of rooms it stands on', (screen) => {
    const files = build.screen(screen)
    const declared = closure([...screen.rooms, ...ofKit])
    expect(held(files).filter((room) => !declared.has(room))).toEqual([])
    const worded = ['signIn', 'shell', 'kit', 'gateway', ...screen.rooms]
    expect(told(files).filter((room) => !worded.includes(room))).toEqual([])
  })

  it('is found by these marks at all', () => {
    const [list] = screens().filter(({ name }) => name === 'list/DevicesScreen.tsx')
    expect(list && held(build.screen(list))).toContain('device')
    expect(list && told(build.screen(list))).toContain('device')
  })
})
