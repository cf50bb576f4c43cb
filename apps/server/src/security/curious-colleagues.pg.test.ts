import { activationCode, createCodes, device, operationLog, user } from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
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

describe('a serial number with an unused activation code', () => {
  beforeEach(async () => {
    expect((await codesOf(birch, world.b.shop, ['RES-1'])).code).toBe(100000)
  })

  it('is registered by nobody of another enterprise, who learns no more than that it is taken', async () => {
    expect(await registers(alder, world.a.shop, 'RES-1')).toMatchObject({ code: taken, data: { sn: 'RES-1' } })
    expect(await codesOf(alder, world.a.shop, ['FREE-1', 'RES-1'])).toMatchObject({
      code: taken,
      data: { lines: [{ line: 2, sn: 'RES-1', code: taken }] },
    })
    await registers(birch, world.b.shop, 'HERE-1')
    const registered = await registers(alder, world.a.shop, 'HERE-1')
    const reserved = await registers(alder, world.a.shop, 'RES-1')
    expect(JSON.stringify(reserved)).toBe(JSON.stringify(registered).replaceAll('HERE-1', 'RES-1'))
  })

  it('is the enterprise’s own to register and to make codes for, in any of its departments', async () => {
    expect((await codesOf(birch, world.b.office, ['RES-1'])).code).toBe(100000)
    expect((await registers(birch, world.b.school, 'RES-1')).code).toBe(100000)
  })

  it('is free again when the code has expired or is removed', async () => {
    await sql`update activation_code set expire_time = now() - interval '1 second'`.execute(world.db)
    expect((await codesOf(alder, world.a.shop, ['RES-1'])).code).toBe(100000)
    await sql`delete from activation_code`.execute(world.db)
    expect((await registers(birch, world.b.shop, 'RES-1')).code).toBe(100000)
  })

  it('goes to one of two enterprises that ask at once', async () => {
    const answers = await Promise.all([
      codesOf(alder, world.a.shop, ['BOTH-1']),
      codesOf(birch, world.b.shop, ['BOTH-1']),
    ])
    expect(answers.map(({ code }) => code).sort()).toEqual([100000, taken])
  })
})

describe('whoever tries out serial numbers', () => {
  it('learns fifty a day, by lists and one by one, and leaves lines that say how many were tried', async () => {
    const theirs = Array.from({ length: 80 }, (_, at) => `CR80-${at}`)
    expect((await codesOf(birch, world.b.shop, theirs)).code).toBe(100000)
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
