import { taskDevice } from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { type Said, startOutbox } from './outbox.fixture.ts'

const outbox = await startOutbox()
afterAll(() => outbox.stop())
beforeEach(() => outbox.clear())

const idOf = (sn: string) => outbox.handed.findLast((each) => each.sn === sn)?.id ?? ''
const say = (sn: string, id: string, state: Said['reply']['state'], rest: object = {}): Said => ({
  sn,
  reply: { id, state, ...rest },
})
const rowOf = async (sn: string) =>
  ((await outbox.alder.get(`${taskDevice.wire.path}/list`, { sn })).data.rows as Record<string, unknown>[])[0]
const taskOf = async () =>
  ((await outbox.alder.get('/api/v3/device/task/list')).data.rows as Record<string, unknown>[])[0]

describe('what devices say in one breath', () => {
  it('counts for each of them, whatever another says about a command that is not its own', async () => {
    await outbox.add(['HP-1', 'HP-2'], { online: true })
    await outbox.give('screenshot', { sns: ['HP-1'] })
    await outbox.sent(1)
    const id = idOf('HP-1')
    await outbox.receive([
      say('HP-1', id, 'done', { result: { mine: true } }),
      say('HP-2', id, 'done', { result: { mine: false } }),
      say('HP-2', id, 'failed', { error: 'stolen' }),
    ])
    expect(await rowOf('HP-1')).toMatchObject({ state: 'done', result: '{"mine": true}' })
  })

  it('is taken from whoever was given the id, which cannot be worked out from another', async () => {
    await outbox.add(['HP-1', 'HP-2'], { online: true })
    await outbox.give('screenshot', { sns: ['HP-1', 'HP-2'] })
    await outbox.sent(2)
    const { rows } = await sql<{ id: number; sn: string }>`select id, sn from command`.execute(outbox.world.db)
    const mine = idOf('HP-2')
    const other = rows.find(({ sn }) => sn === 'HP-1')?.id
    const guesses = [`${other}-1`, mine.replace(/^\d+/, String(other)), `${other}-1-`, `${other}`]
    // Under its own name as well: a device that answers before it was asked has guessed, too.
    const own = rows.find(({ sn }) => sn === 'HP-2')?.id
    for (const id of guesses) await outbox.receive([say('HP-1', id, 'done'), say('HP-2', id, 'done')])
    await outbox.receive([say('HP-2', `${own}-1`, 'done'), say('HP-2', idOf('HP-1'), 'done')])
    expect(await outbox.states()).toEqual({ 'HP-1': 'sent', 'HP-2': 'sent' })
    await outbox.receive([say('HP-1', idOf('HP-1'), 'done'), say('HP-2', mine, 'failed', { error: 'no' })])
    expect(await outbox.states()).toEqual({ 'HP-1': 'done', 'HP-2': 'failed' })
  })

  it('of two attempts counts for the one it was said about', async () => {
    await outbox.add(['HP-1'], { online: true })
    const made = await outbox.give('screenshot', { sns: ['HP-1'] })
    await outbox.sent(1)
    const first = idOf('HP-1')
    await outbox.answer('failed', { error: 'not now' })
    await outbox.alder.post('/api/v3/device/task/retry', { id: made.data.id })
    await outbox.sent(2)
    const second = idOf('HP-1')
    expect(second).not.toBe(first)
    await outbox.receive([
      say('HP-1', second, 'done', { result: { attempt: 2 } }),
      say('HP-1', first, 'done', { result: { attempt: 1 } }),
      say('HP-1', first, 'failed', { error: 'not now' }),
    ])
    expect(await rowOf('HP-1')).toMatchObject({ state: 'done', result: '{"attempt": 2}' })
  })

  it('ends a command with its first last word, as if each had come by itself', async () => {
    await outbox.add(['HP-1'], { online: true })
    await outbox.give('screenshot', { sns: ['HP-1'] })
    await outbox.sent(1)
    const id = idOf('HP-1')
    await outbox.receive([
      say('HP-1', id, 'acknowledged'),
      say('HP-1', id, 'progress', { progress: 60 }),
      say('HP-1', id, 'progress', { progress: 30 }),
      say('HP-1', id, 'failed', { error: 'no paper' }),
      say('HP-1', id, 'done'),
    ])
    expect(await rowOf('HP-1')).toMatchObject({ state: 'failed', reason: 'no paper' })
    expect(await taskOf()).toMatchObject({ failed: 1, succeeded: 0, waiting: 0 })
  })
})

describe('devices that answer at the same time', () => {
  it('about the same tasks wait for each other and never block each other', async () => {
    const names = (word: string) => Array.from({ length: 20 }, (_, at) => `${word}-${at}`)
    await outbox.add([...names('L'), ...names('R')], { online: true })
    await outbox.give('screenshot', { sns: [...names('L'), ...names('R')] })
    await outbox.give('report', { sns: [...names('L'), ...names('R')] })
    await outbox.sent(80)
    const idFor = (sn: string, name: string) =>
      outbox.handed.find((each) => each.sn === sn && each.name === name)?.id ?? ''
    for (let at = 0; at < 20; at += 1)
      await Promise.all([
        outbox.receive([
          say(`L-${at}`, idFor(`L-${at}`, 'screenshot'), 'done'),
          say(`L-${at}`, idFor(`L-${at}`, 'report'), 'failed'),
        ]),
        outbox.receive([
          say(`R-${at}`, idFor(`R-${at}`, 'report'), 'done'),
          say(`R-${at}`, idFor(`R-${at}`, 'screenshot'), 'failed'),
        ]),
      ])
    const { rows } = (await outbox.alder.get('/api/v3/device/task/list')).data
    expect(rows).toMatchObject([
      { succeeded: 20, failed: 20, waiting: 0 },
      { succeeded: 20, failed: 20, waiting: 0 },
    ])
  })
})

describe('a command from before ids were marked', () => {
  it('is asked for and answered under the id its device knows, until it is tried anew', async () => {
    await outbox.add(['HP-1', 'HP-2'], { online: true })
    const made = await outbox.give('screenshot', { sns: ['HP-1'] })
    await outbox.sent(1)
    const { rows } = await sql<{ id: number }>`update command set plain_id = true returning id`.execute(outbox.world.db)
    const old = `${rows[0]?.id}-1`
    outbox.arrive('HP-1')
    await outbox.sent(2)
    expect(outbox.handed[1]).toMatchObject({ id: old, upload: { url: `/device/v1/upload/${old}` } })
    await outbox.receive([say('HP-2', old, 'done'), say('HP-1', old, 'failed', { error: 'late' })])
    expect(await outbox.states()).toEqual({ 'HP-1': 'failed' })
    await outbox.alder.post('/api/v3/device/task/retry', { id: made.data.id })
    await outbox.sent(3)
    expect(outbox.handed[2]?.id).toMatch(/^\d+-2-[\w-]{22}$/)
    await outbox.receive([say('HP-1', `${rows[0]?.id}-2`, 'done')])
    expect(await outbox.states()).toEqual({ 'HP-1': 'sent' })
  })
})

describe('an answer', () => {
  const odd = {
    escaped: 'C:\\u0000 and \\\\u0000',
    nul: 'a\u0000b',
    half: 'lone \ud83d and \udc00',
    whole: '😀',
    'key\u0000\ud83d': [{ deep: '\\u0000\u0000' }],
  }

  it('is kept although it holds what looks like, or is, a character the database cannot keep', async () => {
    await outbox.add(['HP-1', 'HP-2'], { online: true })
    await outbox.give('screenshot', { sns: ['HP-1', 'HP-2'] })
    await outbox.sent(2)
    await outbox.receive([
      say('HP-1', idOf('HP-1'), 'done', { result: odd }),
      say('HP-2', idOf('HP-2'), 'failed', { error: 'bad\u0000 \ud83d', result: { why: odd } }),
    ])
    const { result } = (await rowOf('HP-1')) as { result: string }
    expect(JSON.parse(result)).toEqual({
      escaped: odd.escaped,
      nul: 'ab',
      half: 'lone \ufffd and \ufffd',
      whole: '😀',
      'key\ufffd': [{ deep: '\\u0000' }],
    })
    expect(await rowOf('HP-2')).toMatchObject({ state: 'failed' })
  })

  it('is not needed for an order of the same kind: it is kept, written down and sent', async () => {
    await outbox.add(['HP-1'], { online: true })
    const text = 'C:\\u0000 \ud83d'
    expect((await outbox.give('message', { sns: ['HP-1'] }, { text })).code).toBe(100000)
    await outbox.sent(1)
    expect(outbox.handed[0]?.args).toMatchObject({ text: 'C:\\u0000 \ufffd' })
  })
})
