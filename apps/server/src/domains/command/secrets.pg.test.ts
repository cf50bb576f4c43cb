import { operationLog, queryLog, taskDetail, taskDevice, testModel } from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { startOutbox } from './outbox.fixture.ts'

const outbox = await startOutbox()
const { world, alder, handed, add, give, sent, answer } = outbox
const broker = '/api/v3/device/broker/task'

afterAll(() => outbox.stop())
beforeEach(async () => {
  await outbox.clear()
  await sql`delete from test_model`.execute(world.db)
})

/** Whatever rests in the database, the sealed included, as anybody with a copy of it could read it. */
const stored = async () => {
  const tables = [
    'device_task',
    'command',
    'test_model',
    'op_log',
    'op_log_pending',
    'notification',
    'device_setting_value',
    'job',
  ]
  const texts = await Promise.all(
    tables.map((table) =>
      sql<{ row: string }>`select to_jsonb(t)::text as row from ${sql.table(table)} t`.execute(world.db),
    ),
  )
  return texts.flatMap(({ rows }) => rows.map(({ row }) => row)).join('\n')
}
/** What people are shown of commands, whoever they are. */
const shown = async (taskId?: unknown) => {
  const people = [alder, await world.as('alder.auditor'), await world.as('alder.operator')]
  const asked = people.flatMap((person) => [
    person.get(`${queryLog.wire.path}/list`),
    person.get(`${taskDevice.wire.path}/list`),
    person.get('/api/v3/device/task/list'),
    person.get(`${broker}/list`),
    person.get(`${broker}/success/list`),
    person.get(`${testModel.wire.path}/list`),
    person.get(`${operationLog.wire.path}/list`),
    ...(taskId === undefined ? [] : [person.get(taskDetail.path, { id: Number(taskId) })]),
  ])
  return JSON.stringify(await Promise.all(asked))
}

describe('a secret inside an order', () => {
  it.each([
    ['switchServer', { serverUrl: 'https://fleet.example', code: 'JOIN-ME-4711' }, 'JOIN-ME-4711'],
    ['devicePassword', { password: 'PASS-4711' }, 'PASS-4711'],
    [
      'kioskOn',
      { mode: 'single', packages: ['a'], exitPassword: 'EXIT-4711', statusBar: true, homeKey: true },
      'EXIT-4711',
    ],
    ['message', { title: '', text: 'the password=WORD-4711' }, 'WORD-4711'],
  ])('%s reaches the device and nobody else', async (command, args, secret) => {
    await add(['HP-1'], { online: true })
    const { data } = await give(command, { sns: ['HP-1'] }, args)
    await sent(1)
    expect(handed[0]?.args).toMatchObject(args)
    await answer('failed', { error: `no such thing: ${secret}`, result: { told: args, [secret]: [`${secret}!`] } })
    expect(await stored()).not.toContain(secret)
    expect(await shown(data.id)).not.toContain(secret)
  })

  it('of somebody’s own making is found by its name, however deep it lies', async () => {
    await add(['HP-1'], { online: true })
    const payload = { wifi: [{ ssid: 'shop', password: 'DEEP-4711' }], apiKey: 'KEYS-4711', pin: 47110815, times: 3 }
    const body = { name: 'Blink', topic: 'lamp/blink', payload: JSON.stringify(payload), sns: ['HP-1'] }
    expect((await alder.post(`${broker}/create`, body)).code).toBe(100000)
    await sent(1)
    expect(handed[0]?.args).toEqual({ topic: 'lamp/blink', payload: { command: 'lamp/blink', ...payload } })
    await answer('done', { result: payload })
    const everything = `${await stored()} ${await shown()}`
    for (const secret of ['DEEP-4711', 'KEYS-4711', '47110815']) expect(everything).not.toContain(secret)
    expect(everything).toContain('lamp/blink')
  })

  it('is still there when it is tried again', async () => {
    await add(['HP-1'], { online: true })
    const { data } = await give('devicePassword', { sns: ['HP-1'] }, { password: 'PASS-4711' })
    await sent(1)
    await answer('failed', { error: 'not now' })
    await alder.post('/api/v3/device/task/retry', { id: data.id })
    await sent(2)
    expect(handed[1]?.args).toEqual({ password: 'PASS-4711' })
  })
})

describe('a secret inside a test model', () => {
  const bench = testModel.wire.path
  const make = (payload: object) =>
    alder.post(`${bench}/create`, {
      model: 'M1',
      sn: 'HP-1',
      command: 'lamp/blink',
      payload: JSON.stringify(payload),
      departmentId: world.a.shop,
    })
  const payloadOf = async (id: unknown) =>
    ((await alder.get(`${bench}/list`, { ids: [id] })).data.rows as { payload: string }[])[0]?.payload

  it('is masked, sealed, and sent when the bench is run', async () => {
    await add(['HP-1'], { online: true })
    const { data } = await make({ password: 'BENCH-4711', times: 3 })
    expect(JSON.parse((await payloadOf(data.id)) ?? '')).toEqual({ password: '***', times: 3 })
    expect((await alder.post(`${bench}/run`, { id: data.id })).code).toBe(100000)
    await sent(1)
    expect(handed[0]?.args).toEqual({
      topic: 'lamp/blink',
      payload: { command: 'lamp/blink', password: 'BENCH-4711', times: 3 },
    })
    expect(await stored()).not.toContain('BENCH-4711')
    expect(await shown()).not.toContain('BENCH-4711')
  })

  it('stays what it was when what was shown is saved again, and changes when another is entered', async () => {
    await add(['HP-1'], { online: true })
    const { data } = await make({ password: 'BENCH-4711', times: 3 })
    const save = async (payload: object | null) =>
      expect(
        (await alder.put(`${bench}/update`, { id: data.id, payload: payload && JSON.stringify(payload) })).code,
      ).toBe(100000)
    const runs = async (count: number) => {
      await alder.post(`${bench}/run`, { id: data.id })
      await sent(count)
      return handed[count - 1]?.args.payload
    }
    await save({ password: '***', times: 4 })
    expect(await runs(1)).toMatchObject({ password: 'BENCH-4711', times: 4 })
    await save({ password: 'OTHER-4711' })
    expect(await runs(2)).toMatchObject({ password: 'OTHER-4711' })
    await save({ times: 5 })
    expect(await runs(3)).toEqual({ command: 'lamp/blink', times: 5 })
    expect(await stored()).not.toMatch(/(BENCH|OTHER)-4711/)
  })
})

describe('what a version before this one stored in plain', () => {
  it('is sealed when the server starts, and still reaches its device', async () => {
    await add(['HP-1'])
    const { data } = await give('switchServer', { sns: ['HP-1'] }, { serverUrl: 'https://fleet.example', code: 'x' })
    const args = { serverUrl: 'https://fleet.example', code: 'OLD-4711' }
    await sql`update device_task set args = ${JSON.stringify(args)}::jsonb, sealed_args = null, unsealed = true`.execute(
      world.db,
    )
    await sql`insert into test_model (model, sn, command, payload, department_id, unsealed)
      values ('M1', 'HP-1', 'x', '{"password":"OLD-4712"}', ${world.a.shop}, true)`.execute(world.db)
    const again = await startTestApp({ database: world.database, secrets: world.secrets })
    await again.app.close()
    expect(await stored()).not.toContain('OLD-471')
    outbox.arrive('HP-1')
    await sent(1)
    expect(handed[0]?.args).toEqual(args)
    expect(data.total).toBe(1)
  })
})
