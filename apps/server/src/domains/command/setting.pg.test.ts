import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addDevices } from '../../test/devices.ts'
import { type Person, startWorld, type World } from '../../test/world.ts'
import { answerNewest } from './outbox.fixture.ts'

let world: World
let alder: Person
const setting = '/api/v3/device/setting'
const bench = '/api/v3/device/testModel'

beforeAll(async () => {
  world = await startWorld()
  alder = await world.as('alder.admin')
})
afterAll(() => world.stop())
beforeEach(async () => {
  await sql`delete from device_task`.execute(world.db)
  await sql`delete from device_setting`.execute(world.db)
  await sql`delete from test_model`.execute(world.db)
  await sql`delete from device`.execute(world.db)
  await addDevices(world.db, ['HP-1', 'HP-2'], { departmentId: world.a.shop, type: 3 })
})

const answer = (sn: string, state: 'done' | 'failed', rest: object = {}) => answerNewest(world, sn, state, rest)
const make = async () => {
  const { data } = await alder.post(`${setting}/create`, { name: 'Shops', departmentId: world.a.id })
  return data.id as number
}
const save = (id: number, items: object) => alder.post(`${setting}/saveItems`, { id, items })
const detail = async (id: number) => (await alder.get(`${setting}/detail`, { id })).data

describe('settings', () => {
  it.each([
    'http://user:pw@169.254.169.254/',
    'http://user:pw@fleet.example/',
    'http://169.254.169.254/',
    'http://localhost/',
  ])('keep no server address that no device could be sent to: %s', async (serverUrl) => {
    const id = await make()
    expect(await save(id, { serverUrl })).toMatchObject({ code: 93019, data: { field: 'serverUrl' } })
    expect((await save(id, { serverUrl: 'https://fleet.example' })).code).toBe(100000)
  })

  it('have a version a save, and an old one can be made the newest', async () => {
    const id = await make()
    expect((await save(id, { volume: 10 })).data).toEqual({ version: 1 })
    expect((await save(id, { volume: 20, brightness: 5 })).data).toEqual({ version: 2 })
    expect((await alder.post(`${setting}/rollBack`, { id, version: 1 })).data).toEqual({ version: 3 })
    expect((await alder.post(`${setting}/rollBack`, { id, version: 9 })).status).toBe(400)
    expect(await detail(id)).toMatchObject({
      version: 3,
      items: { volume: 10 },
      versions: [{ version: 3 }, { version: 2, items: { volume: 20, brightness: 5 } }, { version: 1 }],
    })
  })

  it.each([
    [{ powerOff: '23:59', powerOn: '00:00' }, 93023, 'items.powerOn'],
    [{ logPath: '/a/../b/' }, 100002, 'items.logPath'],
    [{ logPath: 'a/' }, 100002, 'items.logPath'],
    [{ volume: 101 }, 100002, 'items.volume'],
    [{ timeZone: 'Mars' }, 100002, 'items.timeZone'],
    [{ nonsense: 1 }, 100009, 'nonsense'],
  ])('refuse %j', async (items, code, field) => {
    expect(await save(await make(), items)).toMatchObject({ status: 400, code, data: { field } })
  })

  it('are pushed as a task; each device’s result, old and new value are kept', async () => {
    const id = await make()
    await save(id, { volume: 10 })
    const push = () => alder.post(`${setting}/push`, { id, sns: ['HP-1', 'HP-2'] })
    expect((await push()).data).toMatchObject({ total: 2 })
    expect(await push()).toMatchObject({ code: 93034, data: { sn: 'HP-1' } })
    await answer('HP-1', 'done')
    await answer('HP-2', 'failed', { error: 'no volume here' })
    expect(await detail(id)).toMatchObject({
      devices: [
        { sn: 'HP-1', version: 1, state: 'done' },
        { sn: 'HP-2', version: 1, state: 'failed', reason: 'no volume here' },
      ],
    })
    await save(id, { volume: 30 })
    await push()
    const { data } = await alder.get(`${setting}/history/list`, { settingId: id, sn: 'HP-1' })
    expect(data.rows).toMatchObject([
      { item: 'volume', oldValue: '10', newValue: '30', result: 'waiting', settingName: 'Shops', version: 2 },
      { item: 'volume', oldValue: null, newValue: '10', result: 'success' },
    ])
    const list = await alder.get(`${setting}/list`)
    expect(list.data.param).toMatchObject([{ name: 'Shops', version: 2, itemCount: 1, deviceCount: 1 }])
  })
})

describe('the test bench', () => {
  const put = async (more: object) => {
    const made = await alder.post(`${bench}/create`, {
      model: 'M1',
      sn: 'HP-1',
      departmentId: world.a.id,
      ...more,
    })
    return made.code === 100000 ? alder.post(`${bench}/run`, { id: made.data.id as number }) : made
  }

  it('asks a device that is there and shows its answer', async () => {
    expect(await put({ command: 'screenshot' })).toMatchObject({ code: 30104, data: { sn: 'HP-1' } })
    await sql`update device_state set iot_status = 'online'`.execute(world.db)
    expect((await put({ command: 'message', payload: '{"title":"a"' })).code).toBe(93020)
    expect((await put({ command: 'blink', payload: '{"times":3}' })).code).toBe(100000)
    await answer('HP-1', 'done', { result: { blinked: 3 } })
    const { data } = await alder.get(`${bench}/list`, { model: 'M1' })
    expect((data.rows as object[]).at(-1)).toMatchObject({ lastState: 'done', lastResult: '{"blinked": 3}' })
    const log = await alder.get('/api/v3/device/queryLog/list', { sn: 'HP-1' })
    expect(log.data.rows).toMatchObject([
      {
        command: 'custom',
        request: '{"topic": "blink", "payload": {"times": 3, "command": "blink"}}',
        response: '{"blinked": 3}',
        result: 'ok',
      },
    ])
  })
})

describe('the timeline of a device', () => {
  it('holds what it did, what it was told and what was done to it, newest first', async () => {
    await alder.post('/api/v3/device/task/create', { command: 'reboot', sns: ['HP-1'] })
    await sql`insert into presence_log (device_id, time, online, reason)
      select id, now() + interval '1 minute', false, 'keepalive' from device where sn = 'HP-1'`.execute(world.db)
    await sql`insert into device_event (device_id, event_id, time, type, level, received)
      select id, 'e1', now() - interval '1 hour', 'alarm', 'major', now() from device where sn = 'HP-1'`.execute(
      world.db,
    )
    const { data } = await alder.get('/api/v3/device/basic/timeline', { sn: 'HP-1' })
    expect(data).toMatchObject({
      next: null,
      rows: [
        { kind: 'disconnected', data: { reason: 'keepalive' } },
        { kind: 'command', title: 'reboot', data: { state: 'queued' } },
        { kind: 'registered' },
        { kind: 'event', title: 'alarm', level: 'major' },
      ],
    })
  })

  it('tells every attempt of a command that was tried again, each with its own end', async () => {
    const { data: made } = await alder.post('/api/v3/device/task/create', { command: 'wipe', sns: ['HP-1'] })
    await answer('HP-1', 'failed', { error: 'no space' })
    await alder.post('/api/v3/device/task/retry', { id: made.id })
    await answer('HP-1', 'failed', { error: 'still no space' })
    await alder.post('/api/v3/device/task/retry', { id: made.id })
    const { data } = await alder.get('/api/v3/device/basic/timeline', { sn: 'HP-1' })
    expect(data.rows).toMatchObject([
      { kind: 'command', title: 'wipe', data: { state: 'queued', attempt: 3, taskId: made.id } },
      {
        kind: 'command',
        title: 'wipe',
        level: 'minor',
        data: { state: 'failed', reason: 'still no space', attempt: 2 },
      },
      { kind: 'command', title: 'wipe', data: { state: 'failed', reason: 'no space', attempt: 1 } },
      { kind: 'registered' },
    ])
  })

  it('tells moves by transfer', async () => {
    await alder.post('/api/v3/device/basic/transferBatch', { sns: ['HP-1', 'HP-2'], departmentId: world.a.office })
    const { data } = await alder.get('/api/v3/device/basic/timeline', { sn: 'HP-2' })
    expect(data.rows).toMatchObject([{ kind: 'moved', data: { username: 'alder.admin' } }, { kind: 'registered' }])
  })
})

it('tasks that were given before an origin was a pair know theirs', async () => {
  const file = new URL('../../../migrations/202611152022_task_origin.sql', import.meta.url)
  const client = new pg.Client(world.database.owner)
  await client.connect()
  try {
    // As it was; nothing of this is kept.
    await client.query(`begin; alter table device_task drop column origin_kind cascade, drop column origin_id cascade,
      drop column origin_version, add column kind text not null default 'task', add column setting_id bigint,
      add column setting_version integer; create index device_task_setting on device_task (setting_id)`)
    await client.query(`insert into device_task (command, kind, setting_id, setting_version, department_id) values
      ('reboot', 'task', null, null, ${world.a.id}), ('custom', 'broker', null, null, ${world.a.id}),
      ('configure', 'setting', 7, 3, ${world.a.id})`)
    await client.query(await readFile(file, 'utf8'))
    const { rows } = await client.query(`select command, origin_kind, origin_id::int, origin_version from device_task
      order by id`)
    expect(rows.map((row) => Object.values(row))).toEqual([
      ['reboot', 'deviceTask', null, null],
      ['custom', 'brokerTask', null, null],
      ['configure', 'deviceSetting', 7, 3],
    ])
  } finally {
    await client.end()
  }
})
