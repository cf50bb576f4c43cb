import { operationLog, taskDevice } from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { newsTold } from '../../test/app.ts'
import { startOutbox } from './outbox.fixture.ts'

const outbox = await startOutbox()
const { world, alder, connected, handed, add, give, states, sent, answer, arrive, sender } = outbox
const task = '/api/v3/device/task'

afterAll(() => outbox.stop())
beforeEach(() => outbox.clear())

const later = (minutes: number) =>
  sql`update command set asked_time = asked_time - ${minutes} * interval '1 minute',
    update_time = update_time - ${minutes} * interval '1 minute'`.execute(world.db)
/** Something that is sent for certain: whatever should have gone out before it has. */
const fence = async () => {
  const before = handed.length
  await give('report', { sns: ['FENCE'] })
  await expect.poll(() => handed.findLast(({ sn }) => sn === 'FENCE') && handed.length > before).toBe(true)
}
const asked = () => handed.filter(({ sn }) => sn === 'HP-1')
const held = async (command: string, args: object = {}) => {
  await add(['HP-1', 'FENCE'], { online: true })
  const { data } = await give(command, { sns: ['HP-1'] }, args)
  await sent(1)
  await answer('acknowledged')
  return data.id as number
}
const rowOf = async (sn: string) =>
  ((await alder.get(`${taskDevice.wire.path}/list`, { sn })).data.rows as Record<string, unknown>[])[0]

describe('a command its device acknowledged and never ended', () => {
  it('is asked about under the same id when the device comes back, and not at every return', async () => {
    await held('lock')
    arrive('HP-1')
    await sent(2)
    expect(asked()[1]).toEqual(asked()[0])
    expect(await states()).toMatchObject({ 'HP-1': 'acknowledged' })
    arrive('HP-1')
    await fence()
    expect(asked()).toHaveLength(2)
    await answer('done')
    expect(await states()).toMatchObject({ 'HP-1': 'done' })
  })

  it('is asked about after a minute of silence, then after two, four and at most sixty', async () => {
    await held('lock')
    await sender.sweep()
    expect(asked()).toHaveLength(1)
    for (const minutes of [1, 2, 4, 8, 16, 32, 60, 60]) {
      const before = asked().length
      await later(minutes - 0.5)
      await sender.sweep()
      expect(asked()).toHaveLength(before)
      await later(0.6)
      await sender.sweep()
      expect(asked()).toHaveLength(before + 1)
    }
  })

  it('is left alone while it gets on, and once it is over, has expired or its device has gone', async () => {
    await held('lock')
    await later(10)
    await answer('progress', { progress: 50 })
    await sender.sweep()
    expect(asked()).toHaveLength(1)
    await later(10)
    connected.delete('HP-1')
    await sender.sweep()
    expect(asked()).toHaveLength(1)
    connected.add('HP-1')
    await sql`update command set expires = now()`.execute(world.db)
    await sender.sweep()
    await sql`update command set expires = now() + interval '1 hour', state = 'done'`.execute(world.db)
    await sender.sweep()
    expect(asked()).toHaveLength(1)
  })

  it('does not stand in the way of others when its device cannot be reached', async () => {
    const many = Array.from({ length: 1_100 }, (_, at) => `DEAF-${at}`)
    await add([...many, 'LAST'], { online: true })
    await give('screenshot', { sns: [...many, 'LAST'] })
    await sent(1_101)
    await later(2)
    connected.clear()
    connected.add('LAST')
    await sender.sweep()
    expect(handed.slice(1_101)).toMatchObject([{ sn: 'LAST' }])
  })
})

describe('giving up what a device has', () => {
  it('frees the device for the opposite at once, says why, and leaves a line in the operation log', async () => {
    const id = await held('lock')
    expect((await alder.get(`${task}/list`)).data.rows).toMatchObject([{ unsent: false, begun: true }])
    expect((await alder.post(`${task}/cancel`, { id })).code).toBe(93015)
    expect((await give('unlock', { sns: ['HP-1'] })).code).toBe(93027)
    expect((await alder.post(`${task}/giveUp`, { id, sns: ['HP-1'] })).data).toEqual({ givenUp: 1 })
    expect(await rowOf('HP-1')).toMatchObject({ state: 'cancelled', reason: 'givenUp' })
    expect((await alder.get(`${task}/list`)).data.rows).toMatchObject([
      { cancelled: 1, waiting: 0, unsent: false, begun: false },
    ])
    await newsTold(world.db)
    const news = (await alder.get('/api/v1/oauth/notifications')).data.rows as { text: string }[]
    expect(news[0]?.text).toMatch(/on 1 device: 0 succeeded, 0 failed, 1 were cancelled or given up/)
    expect((await give('unlock', { sns: ['HP-1'] })).code).toBe(100000)
    const log = await alder.get(`${operationLog.wire.path}/list`, { module: 'deviceTask' })
    expect(JSON.stringify(log.data)).toContain('/giveUp')
    expect((await alder.post(`${task}/giveUp`, { id })).code).toBe(93032)
  })

  it('takes what the device says afterwards down and changes nothing else by it', async () => {
    const id = await held('lock')
    await alder.post(`${task}/giveUp`, { id })
    arrive('HP-1')
    await fence()
    expect(asked()).toHaveLength(1)
    await answer('acknowledged')
    await answer('done', { result: { late: true } })
    await answer('failed', { error: 'twice' })
    expect(await rowOf('HP-1')).toMatchObject({ state: 'cancelled', reason: 'doneAfterAll', result: '{"late": true}' })
    expect((await alder.get(`${task}/list`)).data.rows).toMatchObject([
      { command: 'report' },
      { succeeded: 0, cancelled: 1 },
    ])
    expect((await alder.get('/api/v3/device/basic/list', { sn: 'HP-1' })).data.rows).toMatchObject([{ locked: false }])
  })

  it('leaves what has not been sent waiting, and needs the right to cancel within reach of the task', async () => {
    await add(['HP-1'], { online: true })
    await add(['HP-2'])
    const { data } = await give('lock', { sns: ['HP-1', 'HP-2'] })
    await sent(1)
    const [birch, auditor] = await Promise.all([world.as('birch.admin'), world.as('alder.auditor')])
    expect((await birch.post(`${task}/giveUp`, { id: data.id })).code).toBe(93014)
    expect((await auditor.post(`${task}/giveUp`, { id: data.id })).code).toBe(100013)
    expect((await alder.post(`${task}/giveUp`, { id: data.id, sns: ['HP-2'] })).code).toBe(93032)
    expect((await alder.post(`${task}/giveUp`, { id: data.id })).data).toEqual({ givenUp: 1 })
    expect(await states()).toEqual({ 'HP-1': 'cancelled', 'HP-2': 'queued' })
  })
})
