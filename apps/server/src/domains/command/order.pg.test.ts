import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addRole, addUser } from '../../test/app.ts'
import { addDevices } from '../../test/devices.ts'
import { type Person, startWorld, type World } from '../../test/world.ts'
import { answerNewest } from './outbox.fixture.ts'

let world: World
let alder: Person
const broker = '/api/v3/device/broker/task'

beforeAll(async () => {
  world = await startWorld()
  alder = await world.as('alder.admin')
})
afterAll(() => world.stop())
beforeEach(async () => {
  await sql`delete from device_task`.execute(world.db)
  await sql`delete from device`.execute(world.db)
  await addDevices(world.db, ['HP-1', 'HP-2'], { departmentId: world.a.shop, type: 3, online: true })
})

const make = (more: object = {}) =>
  alder.post(`${broker}/create`, {
    name: 'Blink',
    topic: 'lamp/blink',
    payload: '{"times":3}',
    sns: ['HP-1', 'HP-2'],
    ...more,
  })
const answer = (sn: string, state: 'done' | 'failed', rest: object = {}) => answerNewest(world, sn, state, rest)
const rowsOf = async (path: string, query: object = {}) =>
  (await alder.get(`${broker}/${path}list`, { ...query })).data.rows as Record<string, unknown>[]

describe('a broker task', () => {
  it.each(['{"times":', '[1]', '"word"', 'null'])('is refused with a payload of %s', async (payload) => {
    expect((await make({ payload })).code).toBe(93020)
    expect(await rowsOf('')).toEqual([])
  })

  it('carries a word of one’s own, or gives one of our commands with its own rules and permission', async () => {
    await make()
    expect(await rowsOf('')).toMatchObject([{ name: 'Blink', topic: 'lamp/blink', total: 2, progress: 'inProgress' }])
    expect((await make({ topic: 'message', payload: '{"title":""}' })).status).toBe(400)
    expect((await make({ topic: 'message', payload: '{"title":"","text":"hello"}' })).code).toBe(100000)
    expect((await rowsOf('', { name: 'Blink' })).map(({ topic }) => topic)).toEqual(['message', 'lamp/blink'])
  })

  it('goes out with the quality of service that was chosen, with 1 where none was, and with no other', async () => {
    await make({ qos: 0 })
    await make()
    expect((await rowsOf('')).map(({ qos }) => qos)).toEqual([1, 0])
    for (const qos of [2, -1, '1']) expect(await make({ qos })).toMatchObject({ status: 400, code: 93036 })
    expect(await make({ qos: 2 })).toMatchObject({
      message: 'Messages go to devices with QoS 0 or 1; 2 is not spoken. Choose 0 or 1.',
    })
    expect(await rowsOf('')).toHaveLength(2)
  })

  it('stands in its own list and not among the device tasks', async () => {
    const { data } = await make()
    const tasks = await alder.get('/api/v3/device/task/list')
    expect(tasks.data).toMatchObject({ rows: [], total: 0 })
    expect((await alder.post('/api/v3/device/task/cancel', { id: data.id as number })).code).toBe(93014)
    expect((await alder.post(`${broker}/cancel`, { id: data.id as number })).data).toEqual({ cancelled: 2 })
  })

  it('tells who took it and who did not, and tries those again', async () => {
    const { data } = await make()
    const taskId = data.id as number
    await answer('HP-1', 'done', { result: { blinked: 3 } })
    await answer('HP-2', 'failed', { error: 'the lamp is broken' })
    expect(await rowsOf('success/', { taskId })).toMatchObject([{ sn: 'HP-1', result: '{"blinked": 3}' }])
    const failed = { sn: 'HP-2', state: 'failed', reason: 'the lamp is broken' }
    expect(await rowsOf('fail/', { taskId, reason: 'broken' })).toMatchObject([failed])
    expect((await alder.post(`${broker}/retry`, { id: taskId })).data).toEqual({ retried: 1 })
    expect(await rowsOf('fail/', { taskId })).toEqual([])
    await answer('HP-2', 'done')
    expect(await rowsOf('')).toMatchObject([{ succeeded: 2, failed: 0, progress: 'success' }])
  })
})

const preview = '/api/v3/device/task/preview'
const give = (command: string, target: object) => alder.post('/api/v3/device/basic/command', { command, ...target })

describe('an order', () => {
  it('is refused to a device without a key where its organisation wants one', async () => {
    await sql`update device set credential_hash = 'x' where sn = 'HP-2'`.execute(world.db)
    const ask = (wanted: boolean) =>
      sql`update department set device_key_status = ${wanted} where id = ${world.a.id}`.execute(world.db)
    await ask(true)
    try {
      expect(await give('screenshot', { sns: ['HP-1'] })).toMatchObject({ code: 93021, data: { sn: 'HP-1' } })
      expect((await give('screenshot', { sns: ['HP-2'] })).code).toBe(100000)
    } finally {
      await ask(false)
    }
    expect((await give('screenshot', { sns: ['HP-1'] })).code).toBe(100000)
  })

  it('for ten thousand that are not there is answered with how many and the first of them', async () => {
    const sns = Array.from({ length: 10_000 }, (_, at) => `NOBODY-${at}`)
    const asked = { command: 'reboot', sns }
    const { data } = await alder.post(preview, asked)
    expect(data).toMatchObject({ total: 10_000, receiving: 0, refused: [{ count: 10_000 }] })
    expect(JSON.stringify(data).length).toBeLessThan(2_000)
    const [reason] = data.refused as { code: number; sns: string[] }[]
    expect(reason?.sns).toEqual(sns.slice(0, 20))
    const whole = await alder.post(preview, { ...asked, named: [reason?.code] })
    expect(whole.data.refused).toMatchObject([{ sns }])
    const made = await give('screenshot', { sns: ['HP-1', ...sns.slice(1)], partly: true })
    expect(made).toMatchObject({ code: 100028, data: { total: 1, refused: 9_999 } })
    expect(made.data.refusedDevices).toHaveLength(100)
  })

  it('goes to the others when those a preview refused are left out', async () => {
    await give('reboot', { sns: ['HP-1'] })
    const { data } = await alder.post(preview, { command: 'reboot', sns: ['HP-1', 'HP-2'] })
    expect(data).toMatchObject({ total: 2, receiving: 1, refused: [{ code: 93022, count: 1, sns: ['HP-1'] }] })
    const others = await give('reboot', { sns: ['HP-1', 'HP-2'], without: ['HP-1'] })
    expect(others).toMatchObject({ code: 100000, data: { total: 1 } })
    expect((await give('reboot', { sns: ['HP-2'], without: ['HP-2'] })).code).toBe(93017)
    expect((await give('lock', {})).code).toBe(93017)
    expect((await give('lock', { sns: ['HP-1'], groupId: 1 })).status).toBe(400)
  })
})

it('the devices of a task are told with what needs a look first, and how long each took', async () => {
  const sns = ['HP-0', 'HP-1', 'HP-2', 'HP-3']
  await addDevices(world.db, ['HP-0', 'HP-3'], { departmentId: world.a.shop, type: 3, online: true })
  const { data } = await give('reboot', { sns })
  await sql`update command set state = 'sent', sent_time = now() - interval '90 seconds'`.execute(world.db)
  await answer('HP-0', 'done')
  await answer('HP-3', 'failed', { error: 'no power' })
  await sql`update command set state = 'expired', end_time = now() where sn = 'HP-2'`.execute(world.db)
  const rows = async (more: object = {}) =>
    (await alder.get('/api/v3/device/task/device/list', { taskId: data.id, ...more })).data.rows as Record<
      string,
      unknown
    >[]
  expect((await rows()).map(({ sn, state }) => `${sn} ${state}`)).toEqual([
    'HP-3 failed',
    'HP-2 expired',
    'HP-1 sent',
    'HP-0 done',
  ])
  expect((await rows({ state: ['done'] }))[0]?.milliseconds).toBeGreaterThanOrEqual(90_000)
  expect((await rows({ state: ['sent'] }))[0]?.milliseconds).toBeNull()
})

describe('the doors to an order', () => {
  const order = { command: 'reboot', sns: ['HP-1'] }
  const doors = {
    '/api/v3/device/task/create': 'deviceTask:list:add',
    '/api/v3/device/batch/run': 'device:batch:run',
  }
  it.each(Object.entries(doors))('%s asks for %s besides the command’s own', async (path, perm) => {
    const word = perm.replaceAll(':', '.')
    const giveAs = async (name: string, permissions: string[]) => {
      const roleId = await addRole(world.db, { departmentId: world.a.id, permissions })
      await addUser(world.db, { username: name, departmentId: world.a.id, roleIds: [roleId] })
      return (await world.as(name)).post(path, order)
    }
    expect((await giveAs(`${word}.none`, ['device:list:restart'])).code).toBe(100013)
    expect((await giveAs(`${word}.half`, [perm])).code).toBe(100013)
    expect((await giveAs(`${word}.both`, [perm, 'device:list:restart'])).code).toBe(100000)
  })
})
