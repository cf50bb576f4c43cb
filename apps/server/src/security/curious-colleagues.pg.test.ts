import { activate, activationCode, createCodes, device, operationLog, unusedCodesMax, user } from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addRole, addUser } from '../test/app.ts'
import { addDevices } from '../test/devices.ts'
import { eventually } from '../test/mqtt.ts'
import { type Person, startWorld, type World } from '../test/world.ts'

let world: World
let alder: Person
let birch: Person
let auditor: Person
const task = '/api/v3/device/task'
const views = '/api/v1/oauth/savedViews'
const taken = 204014

beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())
beforeEach(async () => {
  for (const table of ['device_task', 'activation_code', 'device', 'saved_view', 'rate_limit', 'notification'])
    await sql`delete from ${sql.table(table)}`.execute(world.db)
  alder = await world.as('alder.admin')
  birch = await world.as('birch.admin')
  auditor = await world.as('alder.auditor')
})

const codesOf = (who: Person, departmentId: number, sns: readonly string[]) =>
  who.post(createCodes.path, { codes: sns.join('\n'), departmentId })
const registers = (who: Person, departmentId: number, sn: string) =>
  who.post(`${device.wire.path}/create`, { sn, departmentId, deviceType: 3, batchNumber: 'B' })
interface Line {
  route: string
  type: string
  result: string
  code: number
  description: string | null
}
/** The lines of somebody's calls of one route. */
const linesOf = async (username: string, route: string) =>
  (
    await sql<Line>`select route, type, result, code, description from op_log_now()
      where username = ${username} and route = ${route} order by id`.execute(world.db)
  ).rows

describe('a serial number that another enterprise made a code for', () => {
  const codeOf = async (who: Person, departmentId: number, line: string) => {
    const { data } = await who.post(createCodes.path, { codes: line, departmentId })
    return String((data as { codes: { activationCode: string }[] }).codes[0]?.activationCode)
  }
  const joins = (sn: string, code: string) => world.call(activate, { sn, code })
  const standsIn = async (sn: string) =>
    (await sql<{ at: number }>`select department_id as at from device where sn = ${sn}`.execute(world.db)).rows[0]?.at

  it('is registered, given codes and activated as if nobody had', async () => {
    const squatted = Array.from({ length: 80 }, (_, at) => `RES-${at}`)
    expect((await codesOf(birch, world.b.shop, squatted)).code).toBe(100000)
    expect((await registers(alder, world.a.shop, 'RES-0')).code).toBe(100000)
    expect((await codesOf(alder, world.a.shop, squatted)).code).toBe(100000)
    expect(await joins('RES-1', await codeOf(alder, world.a.shop, 'RES-1'))).toMatchObject({ code: 100000 })
    expect(await standsIn('RES-1')).toBe(world.a.shop)
  })

  it('joins where the code was made that its device shows, and no other code takes it from there', async () => {
    const theirs = await codeOf(birch, world.b.shop, 'SHOWN-1')
    const ours = await codeOf(alder, world.a.shop, 'SHOWN-1')
    expect(await joins('SHOWN-1', ours)).toMatchObject({ code: 100000 })
    expect(await joins('SHOWN-1', theirs)).toMatchObject({ code: taken })
    expect(await standsIn('SHOWN-1')).toBe(world.a.shop)
  })

  it('is not told by its code: the same one is made twice, and the device joins where it is registered', async () => {
    expect((await codesOf(birch, world.b.shop, ['LABEL-1;label-code-1;;'])).code).toBe(100000)
    expect((await codesOf(alder, world.a.shop, ['LABEL-1;label-code-1;;'])).code).toBe(100000)
    expect((await codesOf(alder, world.a.office, ['LABEL-1;label-code-1;;'])).code).toBe(204031)
    await registers(alder, world.a.shop, 'LABEL-1')
    expect(await joins('LABEL-1', 'label-code-1')).toMatchObject({ code: 100000 })
    expect(await standsIn('LABEL-1')).toBe(world.a.shop)
    const { rows } = await sql<{ at: number }>`select department_id as at from activation_code
      where used_time is null`.execute(world.db)
    expect(rows).toEqual([{ at: world.b.shop }])
  })

  it('keeps its own way out of a lock, however many codes others make for it', async () => {
    await codeOf(alder, world.a.shop, 'LOCKED-1')
    const guess = async (round: number) => {
      for (let at = 0; at < 21; at++)
        await world.call(activate, { sn: 'LOCKED-1', code: 'wrong-code-1' }, { ip: `198.51.${round}.${at + 1}` })
    }
    for (let round = 0; round < 4; round++) {
      await guess(round)
      await codeOf(birch, world.b.shop, 'LOCKED-1')
    }
    expect(await joins('LOCKED-1', await codeOf(alder, world.a.shop, 'LOCKED-1'))).toMatchObject({ code: 100000 })
  })

  it('shows nobody where its device comes from, while several have a code for it', async () => {
    await codeOf(alder, world.a.shop, 'MISSING-1')
    await codeOf(birch, world.b.shop, 'MISSING-1')
    await joins('MISSING-1', 'wrong-code-1')
    const seen = async () =>
      (
        await sql<{
          at: number | null
        }>`select department_id as at from refused_connection where sn = 'MISSING-1'`.execute(world.db)
      ).rows
    await eventually(seen, (rows) => rows.length > 0)
    expect(await seen()).toEqual([{ at: null }])
  })
})

describe('codes that nobody has used', () => {
  it('have an end in each enterprise, and a new one in place of an old one is none more', async () => {
    await sql`insert into activation_code (sn, department_id, code_hash, code_sealed)
      select 'HEAP-' || n, ${world.a.shop}, int8send(n), '-' from generate_series(1, ${unusedCodesMax}) n`.execute(
      world.db,
    )
    expect(await codesOf(alder, world.a.office, ['ONE-MORE'])).toMatchObject({
      code: 204037,
      data: { limit: unusedCodesMax },
    })
    expect((await codesOf(alder, world.a.shop, ['HEAP-1'])).code).toBe(100000)
    expect((await codesOf(birch, world.b.shop, ['ONE-MORE'])).code).toBe(100000)
    await sql`update activation_code set expire_time = now() where sn = 'HEAP-2'`.execute(world.db)
    expect((await codesOf(alder, world.a.office, ['ONE-MORE'])).code).toBe(100000)
  })
})

describe('whoever tries out serial numbers', () => {
  it('learns fifty a day, by lists and one by one, and leaves lines that say how many were tried', async () => {
    const theirs = Array.from({ length: 80 }, (_, at) => `CR80-${at}`)
    await addDevices(world.db, theirs, { departmentId: world.b.shop })
    const guesses = [...theirs.slice(0, 30), ...Array.from({ length: 100 }, (_, at) => `NONE-${at}`)]
    const first = await codesOf(alder, world.a.shop, guesses)
    expect(first.data.lines).toHaveLength(30)
    const second = await codesOf(alder, world.a.shop, theirs.slice(30))
    expect(second.data.lines).toHaveLength(20)
    expect(await codesOf(alder, world.a.shop, theirs.slice(50))).toMatchObject({ code: 204026, data: { limit: 50 } })
    expect((await registers(alder, world.a.shop, 'CR80-70')).code).toBe(204026)
    // A number that nobody has is answered like one that somebody has, or the refusal would tell them apart.
    expect((await registers(alder, world.a.shop, 'NONE-200')).code).toBe(204026)
    expect((await codesOf(alder, world.a.shop, ['NONE-201'])).code).toBe(204026)
    const lines = await linesOf('alder.admin', `POST ${createCodes.path}`)
    expect(lines.slice(-4, -1)).toMatchObject([
      { result: 'failed', code: taken, description: '130: 30 × 204014' },
      { result: 'failed', code: taken, description: '50: 50 × 204014' },
      { result: 'failed', code: 204026, description: '30: 30 × 204014' },
    ])
    world.clock.advance(86_401)
    expect((await registers(await world.as('alder.admin'), world.a.shop, 'CR80-70')).code).toBe(taken)
  })

  it('does not learn more by another account of the same enterprise without end', async () => {
    const theirs = Array.from({ length: 260 }, (_, at) => `CR81-${at}`)
    await addDevices(world.db, theirs, { departmentId: world.b.shop })
    await sql`insert into rate_limit (name, key, window_end, hits)
      select 'foreignSerialEnterprise', ${world.a.id}::text, ${new Date(world.clock.now().getTime() + 3_600_000)}, 190`.execute(
      world.db,
    )
    const first = await codesOf(alder, world.a.shop, theirs.slice(0, 20))
    expect(first.data.lines).toHaveLength(10)
    const operator = await world.as('alder.operator')
    expect((await registers(operator, world.a.shop, 'CR81-30')).code).toBe(204026)
    expect((await registers(await world.as('birch.operator'), world.b.shop, 'NEW-ONE')).code).toBe(100000)
  })
})

describe('registering a device where one may not', () => {
  it('answers the same whether the number is free, one’s own or another’s', async () => {
    await registers(alder, world.a.shop, 'MINE-1')
    await registers(birch, world.b.shop, 'THEIRS-1')
    const answers = []
    for (const sn of ['MINE-1', 'THEIRS-1', 'FREE-1']) answers.push(await registers(alder, world.b.shop, sn))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(answers[0]).toMatchObject({ code: 204013 })
  })
})

describe('what is kept above somebody’s reach', () => {
  it('goes without its number as without its name, and stays where it is', async () => {
    const { db } = world
    const [id = 0] = await addDevices(db, ['GROUPED-1'], { departmentId: world.a.shop, type: 3 })
    await sql`with high as (insert into device_group (name, device_type, department_id)
        values ('High', 3, ${world.a.id}) returning id)
      update device set group_id = high.id from high where device.id = ${id}`.execute(db)
    const permissions = [device.perms.list, user.perms.list, user.perms.update]
    const low = await addRole(db, { departmentId: world.a.shop, permissions })
    const high = await addRole(db, { departmentId: world.a.id, permissions: [device.perms.list], on: [world.a.shop] })
    await addUser(db, { username: 'low', departmentId: world.a.shop, roleIds: [low] })
    const other = await addUser(db, { username: 'colleague', departmentId: world.a.shop, roleIds: [low, high] })
    const reader = await world.as('low')
    expect((await reader.get(`${device.wire.path}/list`)).data.rows).toMatchObject([{ groupId: null, groupName: null }])
    expect((await alder.get(`${device.wire.path}/list`, { sn: 'GROUPED-1' })).data.rows).toMatchObject([
      { groupId: expect.any(Number), groupName: 'High' },
    ])
    const shown = (await reader.get(`${user.wire.path}/list`, { username: 'colleague' })).data
    expect(shown).toMatchObject({ sysUser: [{ roleIds: [low] }] })
    // What somebody is not told of they do not take away by leaving it out.
    expect((await reader.put(`${user.wire.path}/update`, { id: other, roleIds: [low], realName: 'Other' })).code).toBe(
      100000,
    )
    const { rows } = await sql<{ id: number }>`select role_id as id from user_role where user_id = ${other}
      order by 1`.execute(db)
    expect(rows.map((row) => row.id)).toEqual([low, high])
  })
})

describe('what leaves a line', () => {
  it('codes that are shown, and not a list without them', async () => {
    await codesOf(alder, world.a.shop, ['LINE-1'])
    const route = `GET ${activationCode.wire.path}/list`
    const before = (await linesOf('alder.admin', route)).length
    await alder.get(`${activationCode.wire.path}/list`)
    expect((await linesOf('alder.admin', route)).slice(before)).toMatchObject([{ type: 'read', result: 'success' }])
    await auditor.get(`${activationCode.wire.path}/list`)
    expect(await linesOf('alder.auditor', route)).toEqual([])
  })

  it('alerts that are cleared away', async () => {
    await sql`insert into notification (user_id, type, title, data) values
      (${world.a.operator}, 'alert', 'wrongCodes', '{}'), (${world.a.operator}, 'task', 'taskDone', '{}')`.execute(
      world.db,
    )
    const operator = await world.as('alder.operator')
    await operator.remove('/api/v1/oauth/notifications', {})
    await operator.remove('/api/v1/oauth/notifications', {})
    expect(await linesOf('alder.operator', 'DELETE /api/v1/oauth/notifications')).toMatchObject([
      { type: 'remove', description: 'alert × 1' },
    ])
  })

  it('reads that are refused: one line a minute for each account and route, with their number', async () => {
    const read = () => birch.get(`${device.wire.path}/detail`, { sn: 'ALDER-ONLY' })
    await registers(alder, world.a.shop, 'ALDER-ONLY')
    const route = `GET ${device.wire.path}/detail`
    for (let n = 0; n < 20; n++) expect((await read()).code).toBe(30103)
    expect(await linesOf('birch.admin', route)).toMatchObject([
      { type: 'read', result: 'failed', code: 30103, description: '× 1' },
    ])
    const operator = await world.as('alder.operator')
    const users = `${user.wire.path}/list`
    const refused = await operator.get('/api/v1/system/config')
    expect(refused.code).toBe(100013)
    await operator.get('/api/v1/system/config')
    expect(await linesOf('alder.operator', 'GET /api/v1/system/config')).toMatchObject([{ code: 100013 }])
    expect((await alder.get(users)).code).toBe(100000)
    const seen = await alder.get(`${operationLog.wire.path}/list`, { username: 'alder.operator' })
    expect(JSON.stringify(seen.data)).toContain('/api/v1/system/config')
  })
})

describe('a view for everybody', () => {
  const view = (name: string, more: object = {}) => ({ resource: 'device', name, state: { search: 'x' }, ...more })

  it('is not put into colleagues’ menus by somebody who may only read', async () => {
    expect((await auditor.post(views, view('mine'))).code).toBe(100000)
    expect((await auditor.post(views, view('theirs', { shared: true }))).code).toBe(100013)
  })

  it('leaves a line, and is removed by those who administer its people', async () => {
    const operator = await world.as('alder.operator')
    const { data } = await operator.post(views, view('ours', { shared: true }))
    expect((await alder.get(views, { resource: 'device' })).data.rows).toMatchObject([{ own: false, removable: true }])
    expect((await auditor.get(views, { resource: 'device' })).data.rows).toMatchObject([{ removable: false }])
    expect((await auditor.remove(views, { id: data.id })).code).toBe(100017)
    expect((await birch.remove(views, { id: data.id })).code).toBe(100017)
    expect((await alder.remove(views, { id: data.id })).code).toBe(100000)
    await operator.post(views, view('private'))
    expect(await linesOf('alder.operator', `POST ${views}`)).toMatchObject([
      { type: 'create', description: 'device: ours' },
    ])
    expect(await linesOf('alder.admin', `DELETE ${views}`)).toMatchObject([
      { type: 'remove', description: 'device: ours' },
    ])
  })

  it('is of a list that one may open, asks for what that list takes, and reads like no other', async () => {
    const operator = await world.as('alder.operator')
    const users = { ...view('people'), resource: 'user' }
    expect(await operator.post(views, users)).toMatchObject({ code: 100013 })
    await alder.post(views, { ...users, shared: true })
    expect((await operator.get(views, { resource: 'user' })).data.rows).toEqual([])
    expect(await operator.get(views, { resource: 'r17' })).toMatchObject({ code: 100002, data: { field: 'resource' } })
    const search = (text: string) => operator.post(views, { ...view(`asks ${text.length}`), state: { search: text } })
    expect(await search('?colour=blue')).toMatchObject({ code: 100009, data: { field: 'colour' } })
    expect(await search('?iotStatus=purple')).toMatchObject({ code: 100002, data: { field: 'iotStatus' } })
    expect(await search('?sort=nonsense')).toMatchObject({ code: 100002, data: { field: 'sort' } })
    expect(await search('?iotStatus=online&iotStatus=offline&sort=-sn&view=7&page=3&pageSize=20')).toMatchObject({
      code: 100000,
    })
    const { data } = await operator.post(views, view('Once'))
    expect(await operator.post(views, view('once'))).toMatchObject({ code: 100010, data: { field: 'name' } })
    expect((await operator.post(views, { ...view('Once'), id: data.id })).code).toBe(100000)
    expect((await alder.post(views, view('Once'))).code).toBe(100000)
  })

  it('is of a list that there is, and there is an end to them', async () => {
    const operator = await world.as('alder.operator')
    expect((await operator.post(views, { ...view('odd'), resource: 'r17' })).code).toBe(100002)
    await sql`insert into saved_view (user_id, department_id, resource, name, state, shared, is_default)
      select ${world.a.admin}, ${world.a.id}, 'device', 'v' || n, '{}', true, false from generate_series(1, 50) n`.execute(
      world.db,
    )
    expect((await operator.post(views, view('one more', { shared: true }))).code).toBe(100022)
    expect((await operator.post(views, view('my own'))).code).toBe(100000)
    await sql`insert into saved_view (user_id, department_id, resource, name, state, shared, is_default)
      select ${world.a.operator}, ${world.a.id}, 'l' || n % 100, 'v' || n, '{}', false, false
      from generate_series(1, 299) n`.execute(world.db)
    expect((await operator.post(views, view('too many'))).code).toBe(100022)
  })
})

describe('the number of a task', () => {
  it('counts within its enterprise and tells nothing of what others do', async () => {
    await registers(alder, world.a.shop, 'NUM-A')
    await registers(birch, world.b.shop, 'NUM-B')
    await sql`update device_state set capabilities = '{reboot,message}'`.execute(world.db)
    const give = async (who: Person, sn: string) => {
      const args = { title: 'a', text: 'b' }
      const { data } = await who.post(`${task}/create`, { command: 'message', args, sns: [sn] })
      return Number(String(data.taskId).split('-')[1])
    }
    const first = await give(alder, 'NUM-A')
    for (let n = 0; n < 3; n++) await give(birch, 'NUM-B')
    expect(await give(alder, 'NUM-A')).toBe(first + 1)
    const { data } = await alder.get(`${task}/list`)
    expect(JSON.stringify(data)).toContain(`-${first + 1}"`)
  })
})
