import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Room } from './room.ts'
import { kitReads, platformTables, rooms } from './rooms.ts'
import { cyclesOf, readServer, type SourceFile, tablesOf } from './test/room-source.ts'

const files = readServer()
const every: readonly Room[] = rooms

const generated = readFileSync(join(import.meta.dirname, 'platform/tables.generated.ts'), 'utf8')
const tables = [...generated.slice(generated.indexOf('export interface DB')).matchAll(/^ {2}(\w+):/gm)].map(
  ([, name]) => name as string,
)
const known = new Set([...tables, 'schema_migration'])
const ownerOf = (table: string) => every.find((room) => room.tables.includes(table))?.word

/** The rooms a room stands on, those these stand on, and itself. */
const below = (room: Room): ReadonlySet<string> =>
  new Set([room.word, ...(room.after as readonly Room[]).flatMap((each) => [...below(each)])])
const reachOf = new Map(every.map((room) => [room.word, below(room)]))
const roomOf = ({ room }: SourceFile) => every.find(({ word }) => word === room)

/** The demo's people are put into the tables of every room, as no room would. */
const inProduct = files.filter(({ path }) => !path.startsWith('demo/'))
const used = inProduct.map((file) => ({ file, ...tablesOf(file, known) }))
const broken = (part: 'written' | 'read', isBroken: (table: string, file: SourceFile) => boolean) =>
  used.flatMap(({ file, [part]: names }) =>
    names
      .filter((table) => isBroken(table, file))
      .map((table) => `${file.path}: ${table} of ${ownerOf(table) ?? 'the platform'}`),
  )

describe('tables', () => {
  it('belong each to one room or to the platform', () => {
    const owned: string[] = [...every.flatMap((room) => room.tables), ...platformTables]
    expect(owned.filter((table, at) => owned.indexOf(table) !== at)).toEqual([])
    expect([...known].filter((table) => !owned.includes(table))).toEqual([])
    // Default partitions of a table are no tables of the query builder.
    expect(owned.filter((table) => !known.has(table) && !known.has(table.replace(/_default$/, '')))).toEqual([])
  })

  it('are written by their room alone', () => {
    expect(broken('written', (table, { room }) => ownerOf(table) !== room && !roomShows(room, table))).toEqual([])
  })

  it('are read by rooms that stand on theirs', () => {
    const mayRead = (table: string, { room }: SourceFile) => {
      const owner = ownerOf(table)
      if (room === undefined) return owner === undefined || kitReads.some((each) => each === table)
      return owner === undefined ? roomShows(room, table) : reachOf.get(room)?.has(owner)
    }
    expect(broken('read', (table, file) => !mayRead(table, file))).toEqual([])
  })

  it('are found in every way a query can name them', () => {
    const query = (sql: string, text = '') =>
      tablesOf({ path: '', room: undefined, imports: [], sql: [sql], text }, new Set(['a', 'b', 'c_d']))
    expect(query('insert into a (x) select 1 from b').written).toEqual(['a'])
    expect(query('with gone as (delete from only a using b returning *) update c_d set x = 1').written).toEqual([
      'a',
      'c_d',
    ])
    expect(query('select x from a t, b where exists (select from c_d)').read).toEqual(['a', 'b', 'c_d'])
    expect(query('select 1 for update of a').written).toEqual([])
    expect(query('', "db.insertInto('a')").written).toEqual(['a'])
    expect(query('', "bindTable(thing, { name: 'a' })").written).toEqual(['a'])
    expect(query('', 'plainTable(cD)').written).toEqual(['c_d'])
  })
})

/** The platform's own tables that a room is bound to in order to show them; no request can change them through it. */
const roomShows = (word: string | undefined, table: string) =>
  every.find((room) => room.word === word)?.shows?.includes(table) ?? false

describe('imports', () => {
  const crossing = files.flatMap((file) =>
    file.imports.flatMap((target) => {
      const to = target.match(/^domains\/([^/]+)\//)?.[1]
      return to && to !== file.room ? [{ file, target, to }] : []
    }),
  )
  const told = (some: typeof crossing) => some.map(({ file, target }) => `${file.path} → ${target}`)

  it('enter a room by its door', () => {
    expect(told(crossing.filter(({ target, to }) => target !== `domains/${to}/index.ts`))).toEqual([])
  })

  it('lead to rooms that are declared', () => {
    const low = /^(platform|kit|gateway)\//
    expect(
      told(crossing.filter(({ file, to }) => (file.room ? !reachOf.get(file.room)?.has(to) : low.test(file.path)))),
    ).toEqual([])
  })

  it('never lead in a circle, types included', () => {
    expect(cyclesOf(files)).toEqual([])
  })
})

describe('rooms', () => {
  it('are each a folder, and each folder is one', () => {
    expect([...new Set(files.flatMap(({ room }) => room ?? []))].sort()).toEqual(every.map(({ word }) => word).sort())
    expect(files.filter((file) => file.room && !roomOf(file))).toEqual([])
  })

  it('follow what a room below them tells', () => {
    for (const room of every)
      for (const { topic } of room.follows ?? []) {
        const teller = every.find(({ emits }) => emits?.includes(topic))
        expect(teller && reachOf.get(room.word)?.has(teller.word), `${room.word} follows ${topic.name}`).toBe(true)
      }
    const told = every.flatMap(({ word, emits = [] }) => emits.map(({ name }) => ({ word, name })))
    expect(told.filter(({ word, name }) => !name.startsWith(`${word}.`))).toEqual([])
    expect(new Set(told.map(({ name }) => name)).size).toBe(told.length)
  })
})

/** What a room calls at the door of another: functions it imports from there, and what it is offered when it is opened. */
const callsOf = (room: Room, other: Room): string[] => {
  const own = files.filter((file) => file.room === room.word)
  const text = own.map((file) => file.text).join('\n')
  const imported = [...text.matchAll(new RegExp(`import \\{([^}]+)\\} from '[./]+/${other.word}/index.ts'`, 'g'))]
    .flatMap(([, names]) => (names as string).split(','))
    .map((name) => name.trim())
    .filter((name) => name && !name.startsWith('type ') && name.split(' as ')[0] !== other.word)
  const names = [...text.matchAll(new RegExp(`\\b${other.word}: (\\w+)\\b`, 'g'))].map(([, name]) => name as string)
  const doors = [other.word, `${other.word}s`, ...names]
  const offered = (other.offers ?? []).filter((name) =>
    new RegExp(`\\b(?:${doors.join('|')})\\.${name}\\b|\\{ ${name} \\}: Pick<`).test(text),
  )
  return [...new Set([...offered.map((name) => `.${name}`), ...imported])].sort()
}

const printed = () => {
  const lines = every.flatMap((room) => {
    const others = every.filter((other) => other !== room && reachOf.get(room.word)?.has(other.word))
    const calls = others.flatMap((other) => {
      const names = callsOf(room, other)
      return names.length > 0 ? [`  - asks ${other.word} for ${names.map((name) => `\`${name}\``).join(', ')}`] : []
    })
    const after = (room.after as readonly Room[]).map(({ word }) => word)
    const list = (word: string, names: readonly string[]) =>
      names.length > 0 ? [`  - ${word} ${names.map((name) => `\`${name}\``).join(', ')}`] : []
    return [
      `- **${room.word}** stands on ${after.length > 0 ? after.join(', ') : 'nothing but the kit'}`,
      ...list('owns', room.tables),
      ...list('shows', room.shows ?? []),
      ...list('offers', room.offers ?? []),
      ...calls,
      ...list(
        'emits',
        (room.emits ?? []).map(({ name }) => name),
      ),
      ...list(
        'follows',
        (room.follows ?? []).map(({ topic }) => topic.name),
      ),
      ...(room.jobs?.length ? [`  - by itself: ${room.jobs.map(({ name }) => name).join(', ')}`] : []),
    ]
  })
  return `\n\n${lines.join('\n')}\n\n`
}

it('stand in docs/ARCHITECTURE.md as they are', async () => {
  const page = '../../../docs/ARCHITECTURE.md'
  const text = readFileSync(join(import.meta.dirname, page), 'utf8')
  const parts = text.match(/^(.*<!-- rooms -->).*(<!-- \/rooms -->.*)$/s)
  await expect(`${parts?.[1]}${printed()}${parts?.[2]}`).toMatchFileSnapshot(page)
})
