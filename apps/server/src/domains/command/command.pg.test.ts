import { commandMachine, commandStates } from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { addRole, addUser, newsTold } from '../../test/app.ts'
import { expireOverdue } from './command.store.ts'
import { type Said, startOutbox } from './outbox.fixture.ts'
import { createTasks } from './task-end.ts'

const outbox = await startOutbox()
const { world, alder, connected, handed, add, give, states, sent, answer, receive, arrive } = outbox
const task = '/api/v3/device/task'

afterAll(() => outbox.stop())
beforeEach(() => outbox.clear())

const taskRow = async () => ((await alder.get(`${task}/list`)).data.rows as Record<string, unknown>[])[0]

describe('a command', () => {
  it('goes to who is there at once and waits for who is not', async () => {
    await add(['HP-1'], { online: true })
    await add(['HP-2'])
    const made = await give('reboot', { sns: ['HP-1', 'HP-2'] })
    expect(made).toMatchObject({ code: 100000, data: { total: 2 } })
    await sent(1)
    await expect.poll(states).toEqual({ 'HP-1': 'sent', 'HP-2': 'queued' })
    arrive('HP-2')
    await sent(2)
    expect(handed[1]).toMatchObject({ sn: 'HP-2', name: 'reboot' })
    await expect.poll(states).toEqual({ 'HP-1': 'sent', 'HP-2': 'sent' })
  })

  it('says where its file goes when it asks for one, in the same words when it is sent again', async () => {
    await add(['HP-1'], { online: true })
    await give('screenshot', { sns: ['HP-1'] })
    await sent(1)
    expect(handed[0]?.upload).toEqual({
      url: `/device/v1/upload/${handed[0]?.id}`,
      token: expect.stringMatching(/^[\w-]{43}$/),
    })
    arrive('HP-1')
    await sent(2)
    expect(handed[1]).toEqual(handed[0])
    await give('reboot', { sns: ['HP-1'] })
    await sent(3)
    expect(handed[2]?.upload).toBeUndefined()
  })

  it('is sent again with the same id to a device that comes back without having answered', async () => {
    await add(['HP-1'], { online: true })
    await give('reboot', { sns: ['HP-1'] })
    await sent(1)
    arrive('HP-1')
    await sent(2)
    expect(handed[1]?.id).toBe(handed[0]?.id)
    await answer('done')
    arrive('HP-1')
    await give('screenshot', { sns: ['HP-1'] })
    await sent(3)
    expect(handed[2]?.name).toBe('screenshot')
  })

  it('is done once, whatever comes late or twice', async () => {
    await add(['HP-1'], { online: true })
    await give('lock', { sns: ['HP-1'] })
    await sent(1)
    await answer('acknowledged')
    await answer('progress', { progress: 40 })
    await answer('progress', { progress: 20 })
    await answer('done', { result: { note: 'ok\u0000' } })
    await answer('failed', { error: 'late' })
    await answer('acknowledged')
    expect(await taskRow()).toMatchObject({ progress: 'success', succeeded: 1, failed: 0, waiting: 0 })
    const byStatus = async (status: string) => (await alder.get(`${task}/list`, { status })).data.rows
    expect(await byStatus('success')).toMatchObject([{ progress: 'success', status: 'success' }])
    expect(await byStatus('failed')).toEqual([])
    const { data } = await alder.get(`${task}/device/list`, { sn: 'HP-1' })
    expect(data.rows).toMatchObject([{ state: 'done', reason: null, result: '{"note": "ok"}' }])
    await newsTold(world.db)
    const news = await sql`select title from notification`.execute(world.db)
    expect(news.rows).toEqual([{ title: 'taskDone' }])
    const told = await alder.get('/api/v1/oauth/notifications', { page: 1, pageSize: 5 })
    expect(told.data.rows).toMatchObject([{ text: '“Lock” has ended: 1 of 1 succeeded.' }])
    const device = await alder.get('/api/v3/device/basic/list')
    expect(device.data.rows).toMatchObject([{ locked: true }])
  })

  it('takes no answer of another device', async () => {
    await add(['HP-1', 'HP-2'], { online: true })
    await give('reboot', { sns: ['HP-1'] })
    await sent(1)
    await receive([{ sn: 'HP-2', reply: { id: handed[0]?.id ?? '', state: 'done' } }])
    await receive([{ sn: 'HP-1', reply: { id: 'nonsense', state: 'done' } }])
    await expect.poll(states).toEqual({ 'HP-1': 'sent' })
  })

  it('that was given up takes no answer of the device it has become with another enterprise', async () => {
    await add(['HP-1'], { online: true })
    const { data } = await give('reboot', { sns: ['HP-1'] })
    await sent(1)
    await alder.post(`${task}/giveUp`, { id: data.id })
    const harbour = await world.as('harbour.admin')
    const moved = { sns: ['HP-1'], departmentId: world.b.shop }
    expect((await harbour.post('/api/v3/device/basic/transferBatch', moved)).code).toBe(100000)
    await answer('done', { result: { seen: 'in its new home' } })
    const { rows } = await sql`select state, reason, result from command`.execute(world.db)
    expect(rows).toEqual([{ state: 'cancelled', reason: 'givenUp', result: null }])
  })

  it('that was wiped revokes the credential when it is done, not before', async () => {
    await add(['HP-1'], { online: true })
    await sql`update device set credential_hash = '\\x01', activation_status = 2`.execute(world.db)
    const kept = async () =>
      (await sql<{ kept: boolean }>`select credential_hash is not null as kept from device`.execute(world.db)).rows[0]
        ?.kept
    await give('wipe', { sns: ['HP-1'] })
    await sent(1)
    expect(await kept()).toBe(true)
    await answer('done')
    expect(await kept()).toBe(false)
    const { rows } = await sql`select activation_status as status from device`.execute(world.db)
    expect(rows).toEqual([{ status: 1 }])
  })

  describe('that unbinds', () => {
    const stands = async () =>
      (
        await sql<{ kept: boolean; status: number }>`select credential_hash is not null as kept,
          activation_status as status from device where sn = 'HP-1'`.execute(world.db)
      ).rows[0]
    const begin = async () => {
      await add(['HP-1'], { online: true })
      await sql`update device set credential_hash = '\\x01', activation_status = 2`.execute(world.db)
      const made = await give('unbind', { sns: ['HP-1'] })
      expect(made.code).toBe(100000)
      expect(await stands()).toEqual({ kept: true, status: 3 })
      return made.data.id as number
    }

    it('is waited for, and leaves the device activated and unbound when it confirms', async () => {
      await begin()
      expect(await give('unbind', { sns: ['HP-1'] })).toMatchObject({ code: 93022 })
      const moved = await alder.post('/api/v3/device/basic/transferBatch', {
        sns: ['HP-1'],
        departmentId: world.a.office,
      })
      expect(moved.code).toBe(204024)
      await sent(1)
      await answer('done')
      expect(await stands()).toEqual({ kept: false, status: 1 })
      expect(await give('unbind', { sns: ['HP-1'] })).toMatchObject({ code: 204028, data: { sn: 'HP-1' } })
    })

    it('does so as well when the wait is over', async () => {
      await begin()
      await sql`update command set expires = now() - interval '1 second'`.execute(world.db)
      await createTasks(world.app.services).touched(
        world.db,
        (await expireOverdue(world.db)).map(({ taskId }) => taskId),
      )
      await expect.poll(stands, { timeout: 30_000 }).toEqual({ kept: false, status: 1 })
    })

    it('leaves it bound when the device refuses, or people take it back', async () => {
      await begin()
      await sent(1)
      await answer('failed', { error: 'no' })
      expect(await stands()).toEqual({ kept: true, status: 2 })
      await sql`delete from device_task`.execute(world.db)
      const id = (await give('unbind', { sns: ['HP-1'] })).data.id
      expect((await stands())?.status).toBe(3)
      await sent(2)
      expect((await alder.post(`${task}/giveUp`, { id })).code).toBe(100000)
      expect(await stands()).toEqual({ kept: true, status: 2 })
    })
  })

  it('that holds a device to its programs may leave the exit password as it is, where there is one', async () => {
    await add(['HP-1'], { online: true })
    const profile = { mode: 'single', packages: ['org.a'], statusBar: false, homeKey: false }
    const hold = (more: object = {}) => give('kioskOn', { sns: ['HP-1'] }, { ...profile, ...more })
    expect(await hold()).toMatchObject({ code: 100001, data: { field: 'args.exitPassword', sn: 'HP-1' } })
    expect((await hold({ exitPassword: 'door-17' })).code).toBe(100000)
    await sent(1)
    await answer('done')
    const { data } = await alder.get('/api/v3/device/kiosk/detail', { sn: 'HP-1' })
    expect(data).toMatchObject({ kiosk: { on: true, mode: 'single', packages: ['org.a'] } })
    expect((await hold({ packages: ['org.b'] })).code).toBe(100000)
  })

  it('expires when its time is over, and is retried under a new id', async () => {
    await add(['HP-1'], { online: true })
    const made = await give('reboot', { sns: ['HP-1'] })
    await sent(1)
    await sql`update command set expires = now() - interval '1 second'`.execute(world.db)
    expect((await expireOverdue(world.db)).map(({ taskId }) => taskId)).toEqual([made.data.id])
    await answer('done')
    expect(await states()).toEqual({ 'HP-1': 'expired' })
    const told = await alder.get(`${task}/device/list`, { taskId: made.data.id })
    expect(told.data.rows).toMatchObject([{ reason: 'timeLimit' }])
    expect((await alder.post(`${task}/retry`, { id: made.data.id })).data).toEqual({ retried: 1 })
    await sent(2)
    expect(handed[1]?.id).not.toBe(handed[0]?.id)
    await answer('done')
    expect(await states()).toEqual({ 'HP-1': 'sent' })
    await answer('done', {}, 1)
    expect(await states()).toEqual({ 'HP-1': 'done' })
    expect((await alder.post(`${task}/retry`, { id: made.data.id })).code).toBe(93016)
  })

  it('that was cancelled while its device was away is not sent when it comes', async () => {
    await add(['AWAY-1'])
    const { data } = await give('reboot', { sns: ['AWAY-1'] })
    expect((await alder.post(`${task}/cancel`, { id: data.id as number })).data).toEqual({ cancelled: 1 })
    await give('lock', { sns: ['AWAY-1'] })
    arrive('AWAY-1')
    // The other one is: so the first would have been, too.
    await sent(1)
    expect(handed[0]?.name).toBe('lock')
    expect(await taskRow()).toMatchObject({ command: 'lock' })
  })

  it('is cancelled only before it was sent', async () => {
    await add(['HP-1'], { online: true })
    await add(['HP-2'])
    const { data } = await give('reboot', { sns: ['HP-1', 'HP-2'] })
    await sent(1)
    expect((await alder.post(`${task}/cancel`, { id: data.id })).data).toEqual({ cancelled: 1 })
    expect(await states()).toEqual({ 'HP-1': 'sent', 'HP-2': 'cancelled' })
    expect((await alder.post(`${task}/cancel`, { id: data.id })).code).toBe(93015)
  })

  it('keeps its secrets sealed and never shows them', async () => {
    await add(['HP-1'], { online: true })
    await give('screenLockPassword', { sns: ['HP-1'] }, { password: '246813' })
    await sent(1)
    expect(handed[0]?.args).toEqual({ password: '246813' })
    const everything = await sql<{ all: string }>`select
      (select string_agg(to_jsonb(t)::text, '') from device_task t) || (select string_agg(to_jsonb(c)::text, '') from command c)
      || (select string_agg(to_jsonb(l)::text, '') from op_log_now() l) as all`.execute(world.db)
    expect(everything.rows[0]?.all).not.toContain('246813')
    const shown = await Promise.all(
      [`${task}/list`, `${task}/device/list`, '/api/v3/device/queryLog/list'].map((path) => alder.get(path)),
    )
    expect(JSON.stringify(shown)).not.toContain('246813')
  })

  it('of a device that is deleted has failed', async () => {
    await add(['HP-1'])
    await give('reboot', { sns: ['HP-1'] })
    const { rows } = await sql<{ id: number }>`select id from device`.execute(world.db)
    await alder.remove('/api/v3/device/basic/delete', { ids: [rows[0]?.id] })
    const { data } = await alder.get(`${task}/device/list`)
    expect(data.rows).toMatchObject([{ sn: 'HP-1', state: 'failed', reason: 'deviceRemoved' }])
    expect(await taskRow()).toMatchObject({ progress: 'failed', failed: 1 })
  })
})

describe('the state machine', () => {
  type Event = keyof typeof commandMachine.events
  const reply = (state: Said['reply']['state']) => () => answer(state)
  /** How each event of the contract comes about. */
  const acts: Record<Event, (id: number) => unknown> = {
    send: () => arrive('HP-1'),
    acknowledge: reply('acknowledged'),
    succeed: reply('done'),
    fail: reply('failed'),
    expire: async () => {
      await sql`update command set expires = now() - interval '1 second'`.execute(world.db)
      await expireOverdue(world.db)
    },
    cancel: (id) => alder.post(`${task}/cancel`, { id }),
    giveUp: (id) => alder.post(`${task}/giveUp`, { id }),
    retry: (id) => {
      // What is queued anew must not be sent at once, or it is not seen.
      connected.clear()
      return alder.post(`${task}/retry`, { id, sns: ['HP-1'] })
    },
  }
  const events = Object.keys(acts) as Event[]

  it.each(commandStates.flatMap((state) => events.map((event) => [state, event] as const)))(
    'from %s obeys %s in the database as in the contract',
    async (state, event) => {
      await add(['HP-1'], { online: true })
      const { data } = await give('report', { sns: ['HP-1'] })
      await sent(1)
      if (event !== 'send') connected.clear()
      await sql`update command set state = ${state}, asks = 0`.execute(world.db)
      await acts[event](data.id as number)
      const next = commandMachine.can(state, event) ? commandMachine.next(event) : state
      await expect.poll(states).toEqual({ 'HP-1': next })
      if (event !== 'send') return
      // One more that is sent for certain: by then the first has been, or never will be.
      await give('lock', { sns: ['HP-1'] })
      await sent(commandMachine.can(state, 'send') || state === 'acknowledged' ? 3 : 2)
    },
  )
})

describe('an order', () => {
  it('is refused whole for a device of another organisation, which is named', async () => {
    await add(['HP-1'])
    await add(['BI-1'], { departmentId: world.b.shop })
    expect(await give('reboot', { sns: ['HP-1', 'BI-1'] })).toMatchObject({ code: 30103, data: { sn: 'BI-1' } })
    expect(await states()).toEqual({})
  })

  it('needs the permission of its own command on the very department of the device', async () => {
    await add(['HP-1'])
    await add(['HP-2'], { departmentId: world.a.office })
    // May restart in one department and lock in the other: the two roles lend each other nothing.
    const restart = await addRole(world.db, {
      departmentId: world.a.id,
      permissions: ['device:list:restart'],
      on: [world.a.shop],
    })
    const lock = await addRole(world.db, {
      departmentId: world.a.id,
      permissions: ['device:list:lock'],
      on: [world.a.office],
    })
    await addUser(world.db, { username: 'alder.split', departmentId: world.a.id, roleIds: [restart, lock] })
    const split = await world.as('alder.split')
    expect((await give('reboot', { sns: ['HP-1'] }, {}, split)).code).toBe(100000)
    expect((await give('reboot', { sns: ['HP-2'] }, {}, split)).code).toBe(30103)
    expect((await give('lock', { sns: ['HP-2'] }, {}, split)).code).toBe(100000)
    expect((await give('lock', { sns: ['HP-1'] }, {}, split)).code).toBe(30103)
    expect((await give('wipe', { sns: ['HP-1'] }, {}, split)).code).toBe(100013)
  })

  it('waits for the one before it of the same kind, and says which device is busy', async () => {
    await add(['HP-1', 'HP-2'])
    await give('lock', { sns: ['HP-1'] })
    expect(await give('unlock', { sns: ['HP-2', 'HP-1'] })).toMatchObject({ code: 93027, data: { sn: 'HP-1' } })
    expect((await give('reboot', { sns: ['HP-1'] })).code).toBe(100000)
    expect(await give('wipe', { sns: ['HP-1'] })).toMatchObject({ code: 93022, data: { sn: 'HP-1' } })
    const preview = await alder.post(`${task}/preview`, { command: 'unlock', sns: ['HP-1', 'HP-2'] })
    expect(preview.data).toMatchObject({ total: 2, online: 0, refused: [{ sns: ['HP-1'], code: 93027 }] })
    const sns = ['HP-1', 'HP-2', 'NOPE-1']
    const unknown = { sns: ['NOPE-1'], code: 30103 }
    expect((await alder.post(`${task}/preview`, { command: 'unlock', sns })).data).toMatchObject({
      total: 3,
      refused: [unknown, { sns: ['HP-1'], code: 93027 }],
    })
    expect(await states()).toEqual({ 'HP-1': 'queued' })
  })

  it.each([
    [
      'kioskOn',
      { mode: 'single', packages: ['org.example.app'], exitPassword: 'let me out', statusBar: false, homeKey: false },
      93030,
    ],
    ['enableSoftware', { package: 'org.example.app', enabled: false }, 93029],
    ['uninstall', { package: 'org.example.app' }, 93026],
  ])('of %s waits for another of its kind', async (command, args, code) => {
    await add(['HP-1'])
    expect((await give(command, { sns: ['HP-1'] }, args)).code).toBe(100000)
    expect(await give(command, { sns: ['HP-1'] }, args)).toMatchObject({ status: 409, code, data: { sn: 'HP-1' } })
  })

  it('is given by one of two who ask at the same time', async () => {
    await add(['HP-1'])
    const codes = await Promise.all([1, 2, 3, 4].map(async () => (await give('lock', { sns: ['HP-1'] })).code))
    expect(codes.sort()).toEqual([100000, 93027, 93027, 93027].sort())
  })

  it('after three changes of a kind in five minutes has to wait', async () => {
    await add(['HP-1'])
    for (const command of ['lock', 'unlock', 'lock']) {
      expect((await give(command, { sns: ['HP-1'] })).code).toBe(100000)
      await sql`update command set state = 'done'`.execute(world.db)
    }
    expect(await give('unlock', { sns: ['HP-1'] })).toMatchObject({ status: 429, code: 93035, data: { sn: 'HP-1' } })
    // Of another kind it may be changed, and the preview says when it may be of this one.
    expect((await give('reboot', { sns: ['HP-1'] })).code).toBe(100000)
    await sql`update command set state = 'done'`.execute(world.db)
    const { data } = await alder.post(`${task}/preview`, { command: 'unlock', sns: ['HP-1'] })
    const [refused] = data.refused as { sns: string[]; code: number; until: string }[]
    expect(refused).toMatchObject({ sns: ['HP-1'], code: 93035 })
    const left = Date.parse(String(refused?.until)) - Date.now()
    expect(left).toBeGreaterThan(4 * 60_000)
    expect(left).toBeLessThanOrEqual(5 * 60_000)
    await sql`update command set create_time = create_time - interval '5 minutes'`.execute(world.db)
    expect((await give('unlock', { sns: ['HP-1'] })).code).toBe(100000)
  })

  it('that a device cannot carry out is refused before it is sent', async () => {
    await add(['HP-1'])
    await sql`update device_state set capabilities = '{reboot}'`.execute(world.db)
    expect(await give('lock', { sns: ['HP-1'] })).toMatchObject({ code: 93011, data: { sn: 'HP-1' } })
    expect((await give('reboot', { sns: ['HP-1'] })).code).toBe(100000)
  })

  it.each([
    ['powerSchedule', { off: '23:59', on: '00:00', weekdays: [1] }, 93023],
    ['switchServer', { serverUrl: 'http://127.0.0.1:8080' }, 93019],
    ['screenLockPassword', { password: 'abc' }, 100002],
    ['reboot', { now: true }, 100002],
    ['message', {}, 100001],
  ])('of %s with wrong arguments is refused', async (command, args, code) => {
    await add(['HP-1'])
    expect((await give(command, { sns: ['HP-1'] }, args)).code).toBe(code)
  })

  it('reaches what a filter matches less what was unticked, and groups of both kinds', async () => {
    await add(['HP-1', 'HP-2', 'HP-3'])
    const { rows } = await sql<{ id: number }>`select id from device where sn = 'HP-2'`.execute(world.db)
    const made = await give('screenshot', { filter: { sn: 'HP', deviceType: [3] }, except: [rows[0]?.id] })
    expect(made.data).toMatchObject({ total: 2 })
    expect(Object.keys(await states())).toEqual(['HP-1', 'HP-3'])
    expect((await give('screenshot', { filter: { sn: 'nobody' } })).code).toBe(93017)
    expect(await give('screenshot', { groupId: 999_999 })).toMatchObject({ code: 93017, data: { field: 'groupId' } })
    expect(await give('screenshot', { filter: { nosuch: 1 } })).toMatchObject({
      code: 100009,
      data: { field: 'filter.nosuch' },
    })
    expect(await give('screenshot', { filter: { problem: 'x' } })).toMatchObject({
      code: 100002,
      data: { field: 'filter.problem', allowed: expect.arrayContaining(['away']) },
    })
  })

  it('takes ten thousand devices and not one more', async () => {
    const many = Array.from({ length: 10_001 }, (_, at) => `S${String(at).padStart(5, '0')}`)
    await add(many)
    expect(await give('screenshot', { sns: many })).toMatchObject({ code: 93018, data: { limit: 10_000 } })
    expect(await give('screenshot', { filter: {} })).toMatchObject({ code: 93018 })
    expect((await give('screenshot', { sns: many.slice(1) })).data).toMatchObject({ total: 10_000 })
    expect(await taskRow()).toMatchObject({ total: 10_000, waiting: 10_000, progress: 'inProgress' })
  })
})
