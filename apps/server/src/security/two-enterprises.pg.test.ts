import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { World } from '../test/world.ts'
import { type Enterprise, type Person, startInstallation } from '../test/world.ts'
import { type DeclaredCall, declaredCalls, fill, type Kind } from './declared-calls.ts'

/** Ids of the other enterprise lie in a range of their own, so that one of them cannot pass for anything else. */
const foreignFrom = 7_000_000
const ownAgainFrom = 8_000_000
/** An id of nobody, as long as a foreign one. */
const nobody = 9_999_999

type Ids = Readonly<Record<string, number>>
let world: Omit<World, 'a' | 'b'>
let admin: Person
let own: Ids
let foreign: Ids
const seen = new Map<string, string>()

const jumpIds = async (to: number) => {
  const client = new pg.Client(world.database.owner)
  await client.connect()
  await client.query(`select setval(pg_get_serial_sequence(table_name, column_name), ${to}) from information_schema.columns
    where table_schema = 'public' and is_identity = 'YES'`)
  await client.end()
}

/** One row of everything that can belong to somebody, all named after the enterprise. */
const furnish = async ({ word, id, shop, admin: adminId, operator }: Enterprise): Promise<Ids> => {
  const { db } = world
  const one = async (query: ReturnType<typeof sql<{ id: number }>>) => (await query.execute(db)).rows[0]?.id as number
  const file = await one(sql`insert into export_file (name, type, state, department_id, creator_id, stored_as)
    values (${`${word}.xlsx`}, 'export', 'complete', ${id}, ${adminId}, ${`${word}-none`}) returning id`)
  const run = await one(sql`insert into import_run (resource, user_id, department_id, headers, total, file_id)
    values ('user', ${adminId}, ${id}, ${[word]}, 1, ${file}) returning id`)
  const announcement = await one(sql`insert into announcement (title, text, department_id, creator_id)
    values (${`${word} news`}, ${`${word} text`}, ${id}, ${adminId}) returning id`)
  const role = await one(sql`insert into sys_role (name, department_id, creator_id)
    values (${`${word} role`}, ${id}, ${adminId}) returning id`)
  await sql`insert into role_menu select ${role}, id from menu where perms = 'org:list:list'`.execute(db)
  await sql`insert into role_department values (${role}, ${id})`.execute(db)
  const view = await one(sql`insert into saved_view (user_id, department_id, resource, name, state, shared)
    values (${adminId}, ${id}, 'user', ${`${word} view`}, '{}', true) returning id`)
  await sql`insert into notification (user_id, type, title, data) values (${adminId}, 'export', ${word}, '{}')`.execute(
    db,
  )
  const group = await one(sql`insert into device_group (name, device_type, department_id)
    values (${`${word} group`}, 3, ${id}) returning id`)
  const device =
    await one(sql`insert into device (sn, department_id, device_type, batch_number, model, name, group_id, group_time)
    values (${`${word}-1`}, ${shop}, 3, ${word}, ${`${word} model`}, ${word}, ${group}, now()) returning id`)
  const [videoPhone = 0, selfService = 0] = await Promise.all(
    [4, 5].map((type) =>
      one(sql`insert into device (sn, department_id, device_type, batch_number, location)
        values (${`${word}-${type}`}, ${shop}, ${type}, ${word}, ${word}) returning id`),
    ),
  )
  await sql`insert into device_state (device_id, firmware_version, public_ip) values (${device}, ${word}, ${word})`.execute(
    db,
  )
  await sql`insert into device_app (device_id, package, version) values (${device}, ${word}, '1')`.execute(db)
  await sql`insert into refused_connection (sn, address, reason, time) values (${`${word}-1`}, ${word}, 'revoked', now())`.execute(
    db,
  )
  const code = await one(sql`insert into activation_code (sn, activation_code, department_id)
    values (${`${word}-1`}, ${word}, ${id}) returning id`)
  const licences = await Promise.all(
    ['iot', 'im', 'health'].map((kind) =>
      one(sql`insert into licence (kind, device_id, corp_id, licence_no, interface, start_date, expiry)
        values (${kind}, ${device}, ${word}, ${word}, ${word}, current_date, current_date + 10) returning id`),
    ),
  )
  const [iotLicence = 0, imLicence = 0, healthLicence = 0] = licences
  const setting = await one(sql`insert into device_setting (name, department_id, version)
    values (${`${word} setting`}, ${id}, 1) returning id`)
  await sql`insert into device_setting_version (setting_id, version, items) values (${setting}, 1, '{"volume":1}')`.execute(
    db,
  )
  const task =
    await one(sql`insert into device_task (command, name, department_id, creator_id, setting_id, setting_version)
    values ('configure', ${`${word} task`}, ${id}, ${adminId}, ${setting}, 1) returning id`)
  const command = await one(sql`insert into command (task_id, device_id, sn, department_id, command, state, expires)
    values (${task}, ${device}, ${`${word}-1`}, ${shop}, 'configure', 'failed', now() + interval '1 hour') returning id`)
  await sql`insert into setting_change (setting_id, command_id, department_id, item, old_value, new_value)
    values (${setting}, ${command}, ${shop}, 'volume', ${word}, '1')`.execute(db)
  const bench = await one(sql`insert into test_model (model, sn, command, department_id)
    values (${`${word} model`}, ${`${word}-1`}, 'reboot', ${id}) returning id`)
  await sql`insert into device_activity (period, start, department_id, active, total, distributed)
    values (2, date_trunc('day', now()), ${id}, 1, 1, 1)`.execute(db)
  const person = await world.as(`${word}.admin`)
  await person.post('/api/v1/oauth/depts/create', { name: `${word} logged`, type: 0, parentId: id })
  return {
    department: id,
    organisation: shop,
    user: operator,
    role,
    announcement,
    exportFile: file,
    import: run,
    savedViews: view,
    device,
    robot: device,
    groupDevice: device,
    videoPhone,
    selfService,
    deviceGroup: group,
    activationCode: code,
    iotLicence,
    imLicence,
    healthLicence,
    deviceSetting: setting,
    deviceTask: task,
    taskDevice: command,
    testModel: bench,
  }
}

const send = async (call: DeclaredCall, input: Readonly<Record<string, unknown>>) => {
  const path = call.path.replace(/:(\w+)/g, (_, name: string) => String(input[name]))
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input))
    if (!call.path.includes(`:${name}`)) for (const each of [value].flat()) query.append(name, String(each))
  const reads = call.method === 'GET'
  const response = await world.app.inject({
    method: call.method,
    url: reads && query.size > 0 ? `${path}?${query}` : path,
    headers: { sessionid: admin.token },
    ...(reads ? {} : { payload: input }),
  })
  return { status: response.statusCode, text: response.body, type: String(response.headers['content-type']) }
}

const isFile = (type: string) => !type.includes('json')
const codeOf = (text: string) => (JSON.parse(text) as { code: number }).code
/** The id asked for may come back; that alone tells nothing. */
const blanked = (text: string, id: number) => text.replaceAll(String(id), '1111111')
const leaks = (text: string) => /birch|(?<!\d)7\d{6}(?!\d)/.exec(text)?.[0]

const name = ({ method, path }: DeclaredCall) => `${method} ${path}`
const reading = declaredCalls.filter((call) => call.method === 'GET')
const writing = declaredCalls.filter((call) => call.method !== 'GET' && call.slots.length > 0)
/** What a call cannot do without is the caller's own; everything else stays open. */
const ownWhereNeeded = (call: DeclaredCall) => (asked: string, kind: Kind) =>
  call.shape[asked]?.safeParse(undefined).success ? undefined : own[kind]
/** Fields that take any text to look for. */
const searched = (call: DeclaredCall) =>
  Object.keys(call.shape).filter((field) => call.shape[field]?.safeParse('birch').success)
const plain = (call: DeclaredCall): Record<string, unknown> => ('pageSize' in call.shape ? { pageSize: '199' } : {})
/** Reading itself adds lines here. */
const growsByItself = (call: DeclaredCall) => call.path.includes('op-log')

/** Everything of one enterprise, in every table that has a department. */
const snapshot = async (word: string) => {
  const { rows: tables } = await sql<{ name: string }>`select c.table_name as name from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and c.column_name = 'department_id' and t.table_type = 'BASE TABLE' order by 1`.execute(
    world.db,
  )
  const below = sql`select d.id from department d join department top on d.path <@ top.path where top.name = ${`${word} works`}`
  const content = await Promise.all(
    tables.map(async ({ name: table }) => {
      const { rows } =
        await sql`select to_jsonb(t) as row from ${sql.table(table)} t where department_id in (${below}) order by to_jsonb(t)::text`.execute(
          world.db,
        )
      return [table, rows] as const
    }),
  )
  const departments = await sql`select to_jsonb(t) as row from department t where id in (${below}) order by id`.execute(
    world.db,
  )
  return Object.fromEntries([...content, ['department', departments.rows] as const])
}

beforeAll(async () => {
  world = await startInstallation()
  own = await furnish(await world.found('alder'))
  admin = await world.as('alder.admin')
  await jumpIds(ownAgainFrom - 1000)
  for (const call of reading) {
    const { text } = await send(call, fill(call, ownWhereNeeded(call), plain(call)))
    seen.set(name(call), text)
  }
  await jumpIds(foreignFrom)
  foreign = await furnish(await world.found('birch'))
  await jumpIds(ownAgainFrom)
})
afterAll(() => world.stop())

describe('two enterprises with the same data', () => {
  it('are both there, in every table that knows departments', async () => {
    const empty = Object.entries(await snapshot('birch')).filter(([, rows]) => rows.length === 0)
    expect(empty.map(([table]) => table)).toEqual([])
    expect(Object.values(foreign).every((id) => id > foreignFrom && id < ownAgainFrom)).toBe(true)
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

  it.each(reading.filter((call) => call.sorts.length > 0).map((call) => [name(call), call] as const))(
    '%s shows nothing of the other in any order',
    async (_, call) => {
      for (const sort of call.sorts) {
        const { text } = await send(call, { ...plain(call), sort })
        expect([sort, codeOf(text)]).toEqual([sort, codeOf(seen.get(name(call)) ?? '{}')])
        expect(leaks(text)).toBeUndefined()
      }
    },
  )

  it.each(reading.flatMap((call) => call.slots.map(({ name: slot, kind }) => [name(call), slot, kind, call] as const)))(
    '%s answers for the other’s %s as for nobody’s',
    async (_, slot, kind, call) => {
      const ask = async (id: number) => {
        const given = (asked: string, of: Kind) => (asked === slot ? id : ownWhereNeeded(call)(asked, of))
        const { status, text } = await send(call, fill(call, given, plain(call)))
        return { status, text: blanked(text, id) }
      }
      const answer = await ask(foreign[kind] ?? nobody - 1)
      expect(answer).toEqual(await ask(nobody))
      expect(leaks(answer.text)).toBeUndefined()
      expect(answer.status).toBeLessThan(500)
    },
  )

  it.each(reading.filter((call) => searched(call).length > 0).map((call) => [name(call), call] as const))(
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
  it.each(writing.flatMap((call) => call.slots.map(({ name: slot, kind }) => [name(call), slot, kind, call] as const)))(
    '%s leaves the other’s %s alone',
    async (_, slot, kind, call) => {
      const before = await snapshot('birch')
      const attempt = async (id: number) => {
        const given = (asked: string, of: Kind) => (asked === slot ? id : ownWhereNeeded(call)(asked, of))
        const secret = 'password' in call.shape ? { password: await world.sealed('Right-horse-9') } : {}
        const { status, text } = await send(call, fill(call, given, secret))
        return { status, text: blanked(text, id) }
      }
      const answer = await attempt(foreign[kind] ?? nobody - 1)
      expect(leaks(answer.text)).toBeUndefined()
      if (call.resource && !call.path.endsWith('/export')) {
        expect(answer).toEqual(await attempt(nobody))
        expect(answer.status).toBeGreaterThanOrEqual(400)
        // Refused for whose it is, not for its shape.
        expect([100001, 100002, 100003, 100009]).not.toContain(codeOf(answer.text))
      }
      expect(await snapshot('birch')).toEqual(before)
    },
  )
})
