import { resources } from '@campanile/contract'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catchUpLog } from '../platform/audit.ts'
import type { World } from '../test/world.ts'
import { type Person, startInstallation } from '../test/world.ts'
import {
  type DeclaredCall,
  declaredCalls,
  fill,
  type Ids,
  type Kind,
  nameOf as name,
  requestOf,
  serialsOf,
} from './declared-calls.ts'
import { furnish } from './furnish.ts'

/** Ids of the other enterprise lie in a range of their own, so that one of them cannot pass for anything else. */
const foreignFrom = 7_000_000
const ownAgainFrom = 8_000_000
/** An id of nobody, as long as a foreign one. */
const nobody = 9_999_999

let world: Omit<World, 'a' | 'b'>
let admin: Person
let own: Ids
let foreign: Ids
const seen = new Map<string, string>()

const jumpIds = async (to: number) => {
  const client = new pg.Client(world.database.owner)
  await client.connect()
  await client.query(`select setval(pg_get_serial_sequence(table_name, column_name), ${to}) from information_schema.columns
    where table_schema = 'public' and (is_identity = 'YES' or column_default like 'nextval(%')
      and table_name not in (select relname from pg_class where relispartition)`)
  await client.end()
}

const send = async (call: DeclaredCall, input: Readonly<Record<string, unknown>>) => {
  const response = await world.app.inject({ ...requestOf(call, input), headers: { sessionid: admin.token } })
  return { status: response.statusCode, text: response.body, type: String(response.headers['content-type']) }
}

const isFile = (type: string) => !type.includes('json')
const codeOf = (text: string) => (JSON.parse(text) as { code: number }).code
/** The id asked for may come back; that alone tells nothing. */
const blanked = (text: string, id: number) => text.replaceAll(new RegExp(`(?<!\\d)${id}(?!\\d)`, 'g'), '1111111')
/** Not within the log's hashes, which are full of digits. */
const leaks = (text: string) => /birch|(?<![\da-f])7\d{6}(?![\da-f])/.exec(text)?.[0]

const reading = declaredCalls.filter((call) => call.method === 'GET')
const writing = declaredCalls.filter((call) => call.method !== 'GET' && call.slots.length > 0)
/** A serial number is taken once for all enterprises: that it is taken cannot be hidden from who registers it. */
const bySerial = declaredCalls.filter(
  (call) => call.method !== 'GET' && Object.keys(serialsOf(call, 'birch')).length > 0 && !call.path.endsWith('/create'),
)
/** What a call cannot do without is the caller's own; everything else stays open. */
const ownWhereNeeded = (call: DeclaredCall) => (asked: string, kind: Kind) =>
  call.shape[asked]?.safeParse(undefined).success ? undefined : own[kind]
/** Fields that take any text to look for. */
const searched = (call: DeclaredCall) =>
  Object.keys(call.shape).filter((field) => call.shape[field]?.safeParse('birch').success)
const plain = (call: DeclaredCall): Record<string, unknown> => ('pageSize' in call.shape ? { pageSize: '199' } : {})
/** Reading itself adds lines here, and devices are counted anew each minute. */
const growsByItself = (call: DeclaredCall) =>
  call.path.includes('op-log') ||
  call.path.includes('/deviceSummary/') ||
  call.path.startsWith('/api/v3/device/apk/download/')

interface Place {
  readonly table: string
  readonly column: 'department_id' | 'user_id'
}
let places: readonly Place[]

/** Every table that has a department, or a user. */
const findPlaces = async () =>
  (
    await sql<Place>`select c.table_name as table, c.column_name as column from information_schema.columns c
      join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = 'public' and c.column_name in ('department_id', 'user_id') and t.table_type = 'BASE TABLE'
        and c.table_name <> 'device_activity' -- the server itself counts, once a minute
        and c.table_name <> 'op_log_pending' -- empty when it is looked at
        and not exists (select from pg_class p where p.relname = c.table_name and p.relispartition) -- read with their table
      order by 1, 2`.execute(world.db)
  ).rows

/** Every row of one enterprise and of its people, with the table it stands in. */
const rowsOf = (word: string) => {
  const theirs = { department_id: sql`(select id from below)`, user_id: sql`(select id from people)` }
  const parts = places.map(
    ({ table, column }) => sql`select ${`${table}.${column}`}::text as place, to_jsonb(t) as row
      from ${sql.table(table)} t where ${sql.ref(column)} in ${theirs[column]}`,
  )
  return sql`(with below as materialized (
      select d.id from department d join department top on d.path <@ top.path where top.name = ${`${word} works`}
    ), people as materialized (select id from sys_user where department_id in (select id from below))
    select place, row from (${sql.join(parts, sql` union all `)}
      union all select 'department', to_jsonb(t) from department t where id in (select id from below)) every)`
}

/** By table, in one order. */
const snapshot = async (word: string) => {
  // Lines that wait are chained by the server itself, a moment later.
  await catchUpLog(world.db)
  const { rows } = await sql<{ place: string; row: unknown }>`select place, row from ${rowsOf(word)} every
    order by place, row::text`.execute(world.db)
  const content: Record<string, unknown[]> = Object.fromEntries(
    ['department', ...places.map(({ table, column }) => `${table}.${column}`)].map((place) => [place, []]),
  )
  for (const { place, row } of rows) content[place]?.push(row)
  return content
}

/** The same as long as no row has come, gone or changed. */
const printOf = async (word: string) => {
  await catchUpLog(world.db)
  const { rows } = await sql<{
    print: string
  }>`select count(*) || ' ' || sum(hashtextextended(place || row::text, 0)::numeric)
    as print from ${rowsOf(word)} every`.execute(world.db)
  return rows[0]?.print
}

let untouched: { print: string | undefined; rows: Awaited<ReturnType<typeof snapshot>> } | undefined

/** What the other enterprise has is what it had when it was last looked at. */
const expectUntouched = async () => {
  const before = untouched
  const print = await printOf('birch')
  // Looked at after each of hundreds of calls: all rows are fetched and compared only where something is different.
  if (before && print === before.print) return
  untouched = { print, rows: await snapshot('birch') }
  if (before) expect(untouched.rows).toEqual(before.rows)
}

/**
 * Walks every route there is as one of two enterprises that look alike. Answers how to go on there. Orders and words that are
 * looked for change what a query asks for, not which rows the database lets it see: its fence alone is walked without them.
 */
export const walkTwoEnterprises = ({ fenceAlone = false } = {}) => {
  beforeAll(async () => {
    world = await startInstallation()
    places = await findPlaces()
    untouched = undefined
    own = await furnish(world, await world.found('alder'))
    admin = await world.as('alder.admin')
    await jumpIds(ownAgainFrom - 1000)
    for (const call of reading) {
      const { text } = await send(call, fill(call, ownWhereNeeded(call), plain(call)))
      seen.set(name(call), text)
    }
    await jumpIds(foreignFrom)
    foreign = await furnish(world, await world.found('birch'))
    await jumpIds(ownAgainFrom)
  })
  afterAll(() => world.stop())

  describe('two enterprises with the same data', () => {
    it('are both there, in every table that knows departments', async () => {
      const empty = Object.entries(await snapshot('birch')).filter(([, rows]) => rows.length === 0)
      expect(empty.map(([table]) => table).filter((table) => !table.endsWith('.user_id'))).toEqual([])
      // Lines of the operation log are numbered without gaps.
      const { operationLog: _, ...numbered } = foreign
      expect(Object.values(numbered).every((id) => id > foreignFrom && id < ownAgainFrom)).toBe(true)
    })

    it('are asked for by every id a call takes, unless it is one of the whole installation', () => {
      const asked = new Set(declaredCalls.flatMap((call) => call.slots.map(({ kind }) => kind)))
      const shared = resources.filter(({ scope }) => scope === 'platform').map((resource) => resource.name)
      expect([...asked].filter((kind) => !(kind in foreign) && !shared.includes(kind))).toEqual([])
    })

    it('are walked on every route there is', () => {
      // The live channel is a socket that answers nothing; who hears what on it is its own test's matter.
      const known = new Set([...declaredCalls.map(name), 'GET /api/live'])
      const served = world.app.routesDeclared.filter(({ rules }) => rules.perm !== 'public')
      expect(served.map(({ method, url }) => `${method} ${url}`).filter((route) => !known.has(route))).toEqual([])
    })
  })

  describe('reading as one of them', () => {
    it.each(reading.map((call) => [name(call), call] as const))(
      '%s shows the same as when it was alone',
      async (_, call) => {
        const { text, type } = await send(call, fill(call, ownWhereNeeded(call), plain(call)))
        if (isFile(type)) return
        expect(leaks(text)).toBeUndefined()
        if (!growsByItself(call)) expect(text).toBe(seen.get(name(call)))
      },
    )

    it
      .skipIf(fenceAlone)
      .each(reading.filter((call) => call.sorts.length > 0).map((call) => [name(call), call] as const))(
      '%s shows nothing of the other in any order',
      async (_, call) => {
        for (const sort of call.sorts) {
          const { text } = await send(call, { ...plain(call), sort })
          expect([sort, codeOf(text)]).toEqual([sort, codeOf(seen.get(name(call)) ?? '{}')])
          expect(leaks(text)).toBeUndefined()
        }
      },
    )

    it.each(
      reading.flatMap((call) => call.slots.map(({ name: slot, kind }) => [name(call), slot, kind, call] as const)),
    )('%s answers for the other’s %s as for nobody’s', async (_, slot, kind, call) => {
      const ask = async (id: number) => {
        const given = (asked: string, of: Kind) => (asked === slot ? id : ownWhereNeeded(call)(asked, of))
        const { status, text } = await send(call, fill(call, given, plain(call)))
        return { status, text: blanked(text, id) }
      }
      const answer = await ask(foreign[kind] ?? nobody - 1)
      expect(answer).toEqual(await ask(nobody))
      expect(leaks(answer.text)).toBeUndefined()
      expect(answer.status).toBeLessThan(500)
    })

    it
      .skipIf(fenceAlone)
      .each(reading.filter((call) => searched(call).length > 0).map((call) => [name(call), call] as const))(
      '%s does not find the other by name',
      async (_, call) => {
        for (const field of searched(call)) {
          // What was asked for may come back in the answer; that alone tells nothing.
          const ask = async (text: string) => {
            const answer = await send(call, fill(call, ownWhereNeeded(call), { ...plain(call), [field]: text }))
            return { ...answer, text: answer.text.replaceAll(text, 'asked') }
          }
          expect([field, await ask('birch')]).toEqual([field, await ask('nobody')])
        }
      },
    )
  })

  describe('writing as one of them', () => {
    it.each(
      writing.flatMap((call) => call.slots.map(({ name: slot, kind }) => [name(call), slot, kind, call] as const)),
    )('%s leaves the other’s %s alone', async (_, slot, kind, call) => {
      if (!untouched) await expectUntouched()
      const attempt = async (id: number) => {
        const given = (asked: string, of: Kind) => (asked === slot ? id : ownWhereNeeded(call)(asked, of))
        const secret = 'password' in call.shape ? { password: await world.sealed('Right-horse-9') } : {}
        const { status, text } = await send(call, fill(call, given, secret))
        return { status, text: blanked(text, id) }
      }
      const answer = await attempt(foreign[kind] ?? nobody - 1)
      expect(leaks(answer.text)).toBeUndefined()
      if (!call.path.endsWith('/export')) {
        expect(answer).toEqual(await attempt(nobody))
        // To have read or put away what is not there is no fault.
        if (kind === 'notification') return expectUntouched()
        expect(answer.status).toBeGreaterThanOrEqual(400)
        // Refused for whose it is, not for its shape; what takes a file is asked without one here.
        if (!call.upload) expect([100001, 100002, 100003, 100009]).not.toContain(codeOf(answer.text))
      }
      await expectUntouched()
    })

    it.each(bySerial.map((call) => [name(call), call] as const))(
      '%s leaves the other’s device alone when it is named by its serial number',
      async (_, call) => {
        if (!untouched) await expectUntouched()
        const attempt = async (sn: string) => {
          const { status, text } = await send(call, fill(call, ownWhereNeeded(call), serialsOf(call, sn)))
          return { status, text: text.replaceAll(sn, 'asked') }
        }
        expect(await attempt('birch')).toEqual(await attempt('nobody'))
        await expectUntouched()
      },
    )
  })

  return () => ({ world, admin })
}
