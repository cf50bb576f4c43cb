import { draftSchema, patchSchema, resources } from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, startInstallation, type World } from '../test/world.ts'
import { declaredCalls, fill, nameOf, requestOf } from './declared-calls.ts'

let world: Omit<World, 'a' | 'b'>
let admin: Person
/** Names of all columns of all tables, as they are stored and as the wire would spell them. */
let columns: string[]

const camel = (column: string) => column.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

beforeAll(async () => {
  world = await startInstallation()
  admin = await world.as('admin')
  const { rows } = await sql<{ name: string }>`select distinct column_name as name from information_schema.columns
    where table_schema = 'public'`.execute(world.db)
  columns = [...new Set(rows.flatMap(({ name }) => [name, camel(name)]))]
})
afterAll(() => world.stop())

const rowsOf = async () =>
  (
    await sql`select (select count(*) from department) as departments, (select count(*) from sys_user) as users,
    (select count(*) from sys_role) as roles, (select count(*) from menu) as menus,
    (select md5(string_agg(u::text, '' order by id)) from sys_user u) as people`.execute(world.db)
  ).rows[0]

const writing = resources.flatMap((resource) =>
  (['create', 'update'] as const)
    .filter((verb) => resource.perms[verb])
    .map((verb) => {
      const path = `${resource.wire.path}/${verb}`
      const call = declaredCalls.find((each) => each.path === path)
      if (!call) throw new Error(`${path} is not declared`)
      const schema = verb === 'create' ? draftSchema(resource) : patchSchema(resource)
      return {
        name: path,
        call,
        schema,
        known: Object.keys(schema.shape),
        locked: Object.values(resource.fields).flatMap((field) => field.lockedCode ?? []),
      }
    }),
)

/** Actions, removals, exports and calls of their own: everything else there is. */
const others = declaredCalls.filter((call) => !writing.some((each) => each.call === call))

describe('every other call', () => {
  it('takes no name that it does not declare', () => {
    const accepted = others.flatMap((call) => {
      const body = fill(call, () => 1)
      const refuses = (column: string) =>
        call.schema
          .safeParse({ ...body, [column]: 1 })
          .error?.issues.some((issue) => issue.code === 'unrecognized_keys' && issue.keys.includes(column))
      const extra = columns.filter((column) => !(column in call.shape))
      return extra.filter((column) => !refuses(column)).map((column) => `${nameOf(call)}: ${column}`)
    })
    expect(accepted).toEqual([])
  })

  it('is served by what it declares', async () => {
    const wrong: string[] = []
    // One after the other: calls that cost much take turns, and only so many may wait.
    for (const call of others.filter(({ upload }) => !upload)) {
      const request = requestOf(call, { ...fill(call, () => 1), noSuchName: 1 })
      const response = await world.app.inject({ ...request, headers: { sessionid: admin.token } })
      if (response.json<{ code: number }>().code !== 100009) wrong.push(`${nameOf(call)}: ${response.body}`)
    }
    expect(wrong).toEqual([])
  })
})

describe.each(writing.map((each) => [each.name, each] as const))('%s', (_, { call, schema, known, locked }) => {
  const write = (body: Record<string, unknown>) =>
    call.method === 'POST' ? admin.post(call.path, body) : admin.put(call.path, body)

  it('takes no column that is not one of its fields', async () => {
    const before = await rowsOf()
    const body = fill(call, () => 1)
    const extra = columns.filter((column) => !known.includes(column))
    expect(extra.length).toBeGreaterThan(100)
    expect(extra.filter((column) => schema.safeParse({ ...body, [column]: 1 }).success)).toEqual([])
    // That its route asks this schema is seen with some of them; all of them over the wire would take a minute.
    const telling = ['id', 'type', 'creator_id', 'departmentPath', 'password_hash', 'create_time']
    const accepted = await Promise.all(
      [...telling.filter((column) => !known.includes(column)), ...extra.filter((_, at) => at % 50 === 0)].map(
        async (column) => {
          const { code, status } = await write({ ...body, [column]: 1 })
          return status === 400 && [100009, ...locked].includes(code) ? [] : [column]
        },
      ),
    )
    expect(accepted.flat()).toEqual([])
    expect(await rowsOf()).toEqual(before)
  })

  it('takes no prototype, no list for one value and no number nobody can store', async () => {
    const before = await rowsOf()
    const body = fill(call, () => 1)
    const raw = (text: string) =>
      world.app.inject({
        method: call.method,
        url: call.path,
        headers: { sessionid: admin.token, 'content-type': 'application/json' },
        payload: text,
      })
    const json = JSON.stringify(body)
    for (const part of ['"__proto__":{"type":0}', '"constructor":{"prototype":{"type":0}}', '"prototype":{}'])
      expect((await raw(`${json.slice(0, -1)},${part}}`)).statusCode).toBe(400)
    for (const [field, value] of Object.entries(body)) {
      if (Array.isArray(value)) continue
      const wrong = await raw(JSON.stringify({ ...body, [field]: [value, value] }))
      expect([field, wrong.statusCode]).toEqual([field, 400])
      const infinite = await raw(JSON.stringify({ ...body, [field]: '§' }).replace('"§"', '1e999'))
      expect([field, infinite.statusCode]).toEqual([field, 400])
    }
    expect(await rowsOf()).toEqual(before)
  })
})
