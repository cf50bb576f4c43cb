import { buffer } from 'node:stream/consumers'
import { queryLogDetail, taskDevice, taskDeviceDetail } from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { Db } from '../../platform/db.ts'
import { parseWorkbook } from '../../platform/sheet/parse.ts'
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
    await outbox.give('report', { sns: ['HP-1'] })
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
    await outbox.give('report', { sns: ['HP-1', 'HP-2'] })
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
    const made = await outbox.give('report', { sns: ['HP-1'] })
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
    await outbox.give('reboot', { sns: [...names('L'), ...names('R')] })
    await outbox.give('report', { sns: [...names('L'), ...names('R')] })
    await outbox.sent(80)
    const idFor = (sn: string, name: string) =>
      outbox.handed.find((each) => each.sn === sn && each.name === name)?.id ?? ''
    for (let at = 0; at < 20; at += 1)
      await Promise.all([
        outbox.receive([
          say(`L-${at}`, idFor(`L-${at}`, 'reboot'), 'done'),
          say(`L-${at}`, idFor(`L-${at}`, 'report'), 'failed'),
        ]),
        outbox.receive([
          say(`R-${at}`, idFor(`R-${at}`, 'report'), 'done'),
          say(`R-${at}`, idFor(`R-${at}`, 'reboot'), 'failed'),
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

describe('a command that asks for a file', () => {
  const ask = async (command: string, args: object = {}) => {
    await outbox.add(['HP-1'], { online: true })
    await outbox.give(command, { sns: ['HP-1'] }, args)
    await outbox.sent(1)
    return idOf('HP-1')
  }
  /** As the upload's transaction does it. */
  const attach = (db: Db) =>
    sql`with made as (insert into export_file (name, type, sn, department_id, state, expire_time)
        values ('it.log', 'deviceLog', 'HP-1', ${outbox.world.a.shop}, 'complete', now() + interval '1 day') returning id)
      update command set file_id = made.id from made`.execute(db)

  it.each([
    ['screenshot', {}],
    ['uploadLog', { type: 'log' }],
  ])('%s has failed, and says why, when its device says done without having sent it', async (command, args) => {
    const id = await ask(command, args)
    await outbox.receive([say('HP-1', id, 'acknowledged'), say('HP-1', id, 'done', { result: { bytes: 5 } })])
    expect(await rowOf('HP-1')).toMatchObject({ state: 'failed', reason: 'fileMissing', result: '{"bytes": 5}' })
    expect(await taskOf()).toMatchObject({ failed: 1, succeeded: 0, waiting: 0 })
  })

  it('is done when the file is there, and keeps its device’s word when that could not send one', async () => {
    const id = await ask('screenshot')
    await attach(outbox.world.db)
    // The file itself tells its name, its size and its sum; what its device says of them is left out.
    const result = { name: '../../../etc/passwd', bytes: 1, sha256: '00', screens: 2 }
    await outbox.receive([say('HP-1', id, 'done', { result })])
    expect(await rowOf('HP-1')).toMatchObject({ state: 'done', reason: null, result: '{"screens": 2}' })
    await outbox.clear()
    const next = await ask('screenshot')
    await outbox.receive([say('HP-1', next, 'failed', { error: 'no screen' })])
    expect(await rowOf('HP-1')).toMatchObject({ state: 'failed', reason: 'no screen' })
  })

  it('is done by an answer that comes while its file is being written down', async () => {
    const id = await ask('screenshot')
    let answered: Promise<unknown> = Promise.resolve()
    await outbox.world.db.transaction().execute(async (tx) => {
      await attach(tx as Db)
      answered = outbox.receive([say('HP-1', id, 'done')])
      const waiting = sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
        where wait_event_type = 'Lock' and datname = current_database() and query like 'update command%'`
      await expect.poll(async () => (await waiting.execute(outbox.world.db)).rows[0]?.count).toBe(1)
    })
    await answered
    expect(await rowOf('HP-1')).toMatchObject({ state: 'done' })
  })

  it('that was given up is not said to have been done after all without the file', async () => {
    const id = await ask('screenshot')
    await outbox.alder.post('/api/v3/device/task/giveUp', { id: ((await taskOf()) as { id: number }).id })
    await outbox.receive([say('HP-1', id, 'done')])
    expect(await rowOf('HP-1')).toMatchObject({ state: 'cancelled', reason: 'failedAfterAll' })
  })
})

describe('an answer', () => {
  const odd = {
    escaped: 'C:\\u0000 and \\\\u0000',
    nul: 'a\u0000b',
    half: 'lone \ud83d and \udc00',
    whole: '😀',
    'name\u0000\ud83d': [{ deep: '\\u0000\u0000' }],
  }

  it('is kept although it holds what looks like, or is, a character the database cannot keep', async () => {
    await outbox.add(['HP-1', 'HP-2'], { online: true })
    await outbox.give('report', { sns: ['HP-1', 'HP-2'] })
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
      'name\ufffd': [{ deep: '\\u0000' }],
    })
    expect(await rowOf('HP-2')).toMatchObject({ state: 'failed' })
  })

  it('that is long is shown by its beginning in the list, which says so, and whole in its detail and in an export', async () => {
    await outbox.add(['HP-1'], { online: true })
    await outbox.give('report', { sns: ['HP-1'] })
    await outbox.sent(1)
    const result = { lines: Array.from({ length: 1_000 }, (_, at) => `line ${at} of what it found`) }
    await outbox.receive([say('HP-1', idOf('HP-1'), 'done', { result })])
    const row = (await rowOf('HP-1')) as { id: number; result: string }
    expect(row.result).toMatch(/^\{"lines": \["line 0 of.*…$/)
    expect(row.result.length).toBeLessThan(600)
    const { alder } = outbox
    const whole = (await alder.get(taskDeviceDetail.path, { id: row.id })).data.row as { result: string }
    expect(JSON.parse(whole.result)).toEqual(result)
    const [listed] = (await alder.get('/api/v3/device/queryLog/list')).data.rows as [{ id: number; response: string }]
    expect(listed.response).toMatch(/…$/)
    const asked = (await alder.get(queryLogDetail.path, { id: listed.id })).data.row as { response: string }
    expect(JSON.parse(asked.response)).toEqual(result)
    const { fileId } = (await alder.post(`${taskDevice.wire.path}/export`, {})).data
    const stored = async () =>
      (
        await sql<{ key: string | null }>`select stored_as as key from export_file where id = ${fileId}
        and state = 'complete'`.execute(outbox.world.db)
      ).rows[0]?.key
    await expect.poll(stored, { timeout: 20_000 }).toBeTruthy()
    const { stream } = await outbox.world.app.services.files.read((await stored()) as string)
    expect(JSON.stringify(await parseWorkbook(await buffer(stream)))).toContain('line 999 of what it found')
    const birch = await outbox.world.as('birch.admin')
    expect((await birch.get(taskDeviceDetail.path, { id: row.id })).code).toBe(100017)
    expect((await birch.get(queryLogDetail.path, { id: row.id })).code).toBe(100017)
  })

  it('is not needed for an order of the same kind: it is kept, written down and sent', async () => {
    await outbox.add(['HP-1'], { online: true })
    const text = 'C:\\u0000 \ud83d'
    expect((await outbox.give('message', { sns: ['HP-1'] }, { text })).code).toBe(100000)
    await outbox.sent(1)
    expect(outbox.handed[0]?.args).toMatchObject({ text: 'C:\\u0000 \ufffd' })
  })
})
