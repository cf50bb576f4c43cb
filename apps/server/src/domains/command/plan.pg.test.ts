import { plannedTasksMax, plannedTasksOfOne } from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addRole, addUser } from '../../test/app.ts'
import { addDevices } from '../../test/devices.ts'
import { type Person, startWorld, type World } from '../../test/world.ts'
import { answerNewest } from './outbox.fixture.ts'

let world: World
let alder: Person
const task = '/api/v3/device/task'

beforeAll(async () => {
  world = await startWorld({ roles: ['api', 'worker'] })
  alder = await world.as('alder.admin')
})
afterAll(() => world.stop())
beforeEach(async () => {
  await sql`delete from job`.execute(world.db)
  await sql`delete from device_task`.execute(world.db)
  await sql`delete from device`.execute(world.db)
  await addDevices(world.db, ['HP-1', 'HP-2'], { departmentId: world.a.shop, type: 3, online: true })
})

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()
const give = (command: string, rest: object, as = alder) =>
  as.post('/api/v3/device/basic/command', { command, ...rest })
const taskRows = async () => (await alder.get(`${task}/list`)).data.rows as Record<string, unknown>[]
const devicesOf = async (taskId: number) =>
  (
    (await alder.get(`${task}/device/list`, { taskId })).data.rows as { sn: string; state: string; reason: string }[]
  ).map(({ sn, state, reason }) => [sn, state, reason])
/** As if the clock had come there. */
const timeComes = async () => {
  await sql`update job set run_after = now() where state = 'queued'`.execute(world.db)
  await sql`select pg_notify('campanile_job', '')`.execute(world.db)
}
const begun = async () => {
  await timeComes()
  await expect.poll(async () => (await taskRows())[0]?.progress, { timeout: 20_000 }).not.toBe('planned')
}

describe('a task that is planned for later', () => {
  it('is in sight, tells nobody and bars nothing before its time, and then looks for its devices anew', async () => {
    const sendTime = inAnHour()
    const made = await give('reboot', { sns: ['HP-1', 'HP-2'], sendTime })
    expect(made).toMatchObject({ code: 100000, data: { total: 2 } })
    expect(await taskRows()).toMatchObject([{ progress: 'planned', total: 2, unsent: true }])
    expect(await devicesOf(made.data.id as number)).toEqual([])
    expect((await give('reboot', { sns: ['HP-1'] })).code).toBe(100000)
    await answerNewest(world, 'HP-1', 'done')
    await sql`delete from device where sn = 'HP-2'`.execute(world.db)
    await timeComes()
    await expect
      .poll(() => devicesOf(made.data.id as number), { timeout: 20_000 })
      .toEqual([
        ['HP-2', 'refused', '30103'],
        ['HP-1', 'queued', null],
      ])
    const [, planned] = await taskRows()
    expect(planned).toMatchObject({ progress: 'inProgress', total: 1, refused: 1 })
  })

  it('tells whom it means and who would be refused, as they stand when somebody looks', async () => {
    await addDevices(world.db, ['HP-3'], { departmentId: world.a.shop, type: 3 })
    await sql`update device_state set capabilities = '{lock}' from device where id = device_id and sn = 'HP-3'`.execute(
      world.db,
    )
    const { data } = await give('reboot', { filter: {}, sendTime: inAnHour(), partly: true })
    expect(data.total).toBe(2)
    expect(await taskRows()).toMatchObject([{ progress: 'planned', total: 2 }])
    const meant = async () => (await alder.get(`${task}/planned`, { id: data.id })).data
    expect(await meant()).toMatchObject({
      receiving: 2,
      refused: 1,
      refusal: null,
      total: 3,
      rows: [
        { sn: 'HP-3', code: 93011 },
        { sn: 'HP-1', code: null, online: true },
        { sn: 'HP-2', code: null },
      ],
    })
    await sql`delete from device where sn in ('HP-1', 'HP-3')`.execute(world.db)
    expect(await meant()).toMatchObject({ receiving: 1, refused: 0, total: 1, rows: [{ sn: 'HP-2' }] })
    await sql`delete from device`.execute(world.db)
    expect(await meant()).toMatchObject({ receiving: 0, refusal: 93017, rows: [] })
  })

  it('is called off as a whole while it waits', async () => {
    const { data } = await give('reboot', { sns: ['HP-1', 'HP-2'], sendTime: inAnHour() })
    expect((await alder.post(`${task}/cancel`, { id: data.id })).data).toEqual({ cancelled: 2 })
    expect(await taskRows()).toMatchObject([
      { progress: 'failed', cancelled: 2, failed: 0, unsent: false, resendable: false },
    ])
    expect((await alder.post(`${task}/cancel`, { id: data.id })).code).toBe(93015)
    await timeComes()
    await expect
      .poll(
        async () =>
          (await sql<{ n: number }>`select count(*)::int as n from job where state = 'done'`.execute(world.db)).rows[0]
            ?.n,
        { timeout: 20_000 },
      )
      .toBe(1)
    expect(await devicesOf(data.id as number)).toEqual([])
  })

  it('does not begin for somebody who may no longer give it', async () => {
    const roleId = await addRole(world.db, { departmentId: world.a.id, permissions: ['device:list:restart'] })
    await addUser(world.db, { username: 'alder.once', departmentId: world.a.id, roleIds: [roleId] })
    const once = await world.as('alder.once')
    const { data } = await give('reboot', { sns: ['HP-1'], sendTime: inAnHour() }, once)
    await sql`delete from user_role where role_id = ${roleId}`.execute(world.db)
    await begun()
    expect(await taskRows()).toMatchObject([{ progress: 'failed', total: 1, failed: 1, refusal: 100013 }])
    expect(await devicesOf(data.id as number)).toEqual([])
  })

  it('reaches only what its giver reaches then', async () => {
    const roleId = await addRole(world.db, { departmentId: world.a.shop, permissions: ['device:list:restart'] })
    await addUser(world.db, { username: 'alder.shop', departmentId: world.a.shop, roleIds: [roleId] })
    const shop = await world.as('alder.shop')
    const { data } = await give('reboot', { filter: {}, sendTime: inAnHour() }, shop)
    await sql`update device set department_id = ${world.a.office} where sn = 'HP-2'`.execute(world.db)
    await begun()
    expect(await devicesOf(data.id as number)).toEqual([['HP-1', 'queued', null]])
  })

  describe('that was given from a department with no device of it', () => {
    const seesTasks = ['deviceTask:list:list', 'deviceTask:list:detail', 'deviceTask:list:cancel']
    const appoint = async (username: string, departmentIds: readonly number[], permissions: readonly string[]) => {
      const roleIds = await Promise.all(
        departmentIds.map((departmentId) => addRole(world.db, { departmentId, permissions: [...permissions] })),
      )
      await addUser(world.db, { username, departmentId: world.a.office, roleIds })
      return world.as(username)
    }
    let giver: Person
    let office: Person
    let both: Person
    beforeAll(async () => {
      giver = await appoint('plan.giver', [world.a.id], ['device:list:restart', ...seesTasks])
      office = await appoint('plan.office', [world.a.office], seesTasks)
      both = await appoint('plan.both', [world.a.office, world.a.shop], seesTasks)
    })
    const rowsFor = async (person: Person) =>
      ((await person.get(`${task}/list`)).data.rows as { id: number }[]).map(({ id }) => id)

    it('is seen and cancelled by who reaches them all, and by nobody else who reaches that department', async () => {
      const plan = { sns: ['HP-1'], sendTime: inAnHour() }
      const { data } = await give('reboot', plan, giver)
      const id = data.id as number
      for (const person of [giver, both, alder]) expect(await rowsFor(person)).toEqual([id])
      expect(await rowsFor(office)).toEqual([])
      for (const page of ['detail', 'planned'])
        expect(await office.get(`${task}/${page}`, { id })).toMatchObject({ status: 404 })
      expect(await office.post(`${task}/cancel`, { id })).toMatchObject({ code: 93014 })
      expect((await both.get(`${task}/planned`, { id })).data).toMatchObject({ receiving: 1 })
      expect((await both.post(`${task}/cancel`, { id })).data).toEqual({ cancelled: 1 })
      expect(await rowsFor(office)).toEqual([])
      const again = await give('reboot', plan, giver)
      expect((await giver.post(`${task}/cancel`, { id: again.data.id })).data).toEqual({ cancelled: 1 })
    })

    it('tells serial numbers of nobody to its giver alone, and names no device that has left its reader’s reach', async () => {
      await addDevices(world.db, ['ELSEWHERE'], { departmentId: world.b.shop, type: 3 })
      const plan = { sns: ['HP-1', 'HP-2', 'ELSEWHERE'], sendTime: inAnHour(), partly: true }
      const { data } = await give('reboot', plan, giver)
      const told = async (person: Person) => (await person.get(`${task}/planned`, { id: data.id })).data
      expect(await told(giver)).toMatchObject({ receiving: 2, refused: 1, total: 3 })
      expect(await told(both)).toMatchObject({ receiving: 2, refused: 0, rows: [{ sn: 'HP-1' }, { sn: 'HP-2' }] })
      await sql`update device set department_id = ${world.a.school} where sn = 'HP-2'`.execute(world.db)
      expect(await told(both)).toMatchObject({ receiving: 2, refused: 0, total: 1, rows: [{ sn: 'HP-1', code: null }] })
      expect(JSON.stringify(await told(both))).not.toMatch(/HP-2|ELSEWHERE/)
    })
  })

  it('finds no room where too many wait already', async () => {
    await give('reboot', { sns: ['HP-1'], sendTime: inAnHour() })
    await sql`insert into device_task (command, args, department_id, plan, send_time, origin_kind)
      select 'reboot', '{}', ${world.a.office}, '{}', now() + interval '1 day', 'deviceTask'
      from generate_series(2, ${plannedTasksMax})`.execute(world.db)
    const one = { sns: ['HP-1'], sendTime: inAnHour() }
    const full = await give('reboot', one)
    expect(full).toMatchObject({ code: 93040, message: expect.stringContaining(String(plannedTasksMax)) })
    expect((await give('reboot', { sns: ['HP-1'] })).code).toBe(100000)
    await sql`delete from device_task where id = (select min(id) from device_task)`.execute(world.db)
    expect((await give('reboot', one)).code).toBe(100000)
  })

  it('leaves room for others where one person has many waiting', async () => {
    await give('reboot', { sns: ['HP-1'], sendTime: inAnHour() })
    await sql`insert into device_task (command, args, department_id, creator_id, plan, send_time, origin_kind)
      select command, args, department_id, creator_id, plan, send_time, origin_kind
      from device_task, generate_series(2, ${plannedTasksOfOne})`.execute(world.db)
    const one = { sns: ['HP-1'], sendTime: inAnHour() }
    const full = await give('reboot', one)
    expect(full).toMatchObject({ code: 93041, message: expect.stringContaining(String(plannedTasksOfOne)) })
    expect((await give('reboot', one, await world.as('alder.operator'))).code).toBe(100000)
  })

  it('for a part names the serial numbers that nobody has', async () => {
    const made = await give('reboot', { sns: ['HP-1', 'NOBODY'], partly: true, sendTime: inAnHour() })
    expect(made).toMatchObject({
      code: 100028,
      data: { total: 1, refused: 1, refusedDevices: [{ sn: 'NOBODY', code: 30103 }] },
    })
  })

  it('is previewed without what will have ended by then', async () => {
    await give('reboot', { sns: ['HP-1'] })
    const asked = { command: 'reboot', sns: ['HP-1', 'HP-2'] }
    expect((await alder.post(`${task}/preview`, asked)).data.refused).toMatchObject([{ sns: ['HP-1'], code: 93022 }])
    expect((await alder.post(`${task}/preview`, { ...asked, sendTime: inAnHour() })).data.refused).toEqual([])
  })
})

describe('an order to a part', () => {
  it('writes down who could not take it and why, and tries them again when they can', async () => {
    await give('reboot', { sns: ['HP-1'] })
    const made = await give('reboot', { sns: ['HP-1', 'HP-2', 'NOBODY'], partly: true })
    expect(made).toMatchObject({ code: 100028, data: { total: 1, refused: 2 } })
    expect(made.message).not.toBe('ok')
    expect(made.data.refusedDevices).toEqual([
      { sn: 'NOBODY', code: 30103, message: expect.stringContaining('NOBODY') },
      { sn: 'HP-1', code: 93022, message: expect.stringContaining('HP-1') },
    ])
    const id = made.data.id as number
    expect(await devicesOf(id)).toEqual([
      ['HP-1', 'refused', '93022'],
      ['NOBODY', 'refused', '30103'],
      ['HP-2', 'queued', null],
    ])
    await answerNewest(world, 'HP-2', 'done')
    expect((await taskRows())[0]).toMatchObject({ total: 1, succeeded: 1, refused: 2, progress: 'partialSuccess' })
    expect((await alder.post(`${task}/retry`, { id, only: 'refused' })).code).toBe(93022)
    await sql`update command set state = 'done' where sn = 'HP-1' and state = 'queued'`.execute(world.db)
    expect((await alder.post(`${task}/retry`, { id, only: 'refused' })).data).toEqual({ retried: 1 })
    expect((await taskRows())[0]).toMatchObject({ total: 2, refused: 1, progress: 'inProgress' })
  })

  it('at a time that has long passed, or that nobody will live to see, is refused; one that has just passed means now', async () => {
    const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
    for (const sendTime of [at(-1), at(367)])
      expect(await give('reboot', { sns: ['HP-1'], sendTime })).toMatchObject({
        code: 93037,
        data: { field: 'sendTime' },
      })
    const { data } = await give('reboot', { sns: ['HP-1'], sendTime: at(-1 / 1440) })
    expect(await devicesOf(data.id as number)).toEqual([['HP-1', 'queued', null]])
  })

  it('is refused where nobody can take it', async () => {
    await give('reboot', { sns: ['HP-1'] })
    expect((await give('reboot', { sns: ['HP-1'], partly: true })).code).toBe(93022)
  })

  it('that was cancelled is sent after all', async () => {
    const { data } = await give('reboot', { sns: ['HP-1', 'HP-2'] })
    await alder.post(`${task}/cancel`, { id: data.id })
    expect((await alder.post(`${task}/retry`, { id: data.id })).code).toBe(93016)
    expect((await alder.post(`${task}/retry`, { id: data.id, only: 'cancelled' })).data).toEqual({ retried: 2 })
    expect((await taskRows())[0]).toMatchObject({ cancelled: 0, progress: 'inProgress' })
  })
})

describe('what is tried again', () => {
  it('is told of before: who would receive it and who is refused, and goes to a part where that is wanted', async () => {
    const made = await give('reboot', { sns: ['HP-1', 'HP-2'] })
    const id = made.data.id as number
    await answerNewest(world, 'HP-1', 'failed', { error: 'the device is busy' })
    await answerNewest(world, 'HP-2', 'failed', { error: 'the device is busy' })
    await give('reboot', { sns: ['HP-2'] })
    const seen = await alder.post(`${task}/retry`, { id, dryRun: true })
    expect(seen.data).toMatchObject({
      retried: 1,
      online: 1,
      first: ['HP-1'],
      refused: [{ code: 93022, count: 1, sns: ['HP-2'] }],
    })
    expect((await taskRows()).find((row) => row.id === id)).toMatchObject({ failed: 2 })
    expect((await alder.post(`${task}/retry`, { id })).code).toBe(93022)
    expect((await alder.post(`${task}/retry`, { id, partly: true })).data).toEqual({ retried: 1 })
    expect((await taskRows()).find((row) => row.id === id)).toMatchObject({ failed: 1, progress: 'inProgress' })
  })

  it('keeps what became of the first try and names whoever asked for the second', async () => {
    const made = await give('reboot', { sns: ['HP-1'] })
    await answerNewest(world, 'HP-1', 'failed', { error: 'the device is busy' })
    const root = await world.as('admin')
    await root.post(`${task}/retry`, { id: made.data.id })
    const { rows } = (await alder.get(`${task}/device/list`, { taskId: made.data.id })).data
    expect(rows).toMatchObject([{ attempt: 2, state: 'queued', reason: null }])
    const [row] = rows as { id: number }[]
    const { attempts } = (await alder.get(`${task}/device/detail`, { id: row?.id })).data
    expect(attempts).toMatchObject([
      { attempt: 2, state: 'queued', reason: null, endTime: null },
      { attempt: 1, state: 'failed', reason: 'the device is busy', endTime: expect.any(String) },
    ])
    const [second, first] = attempts as { byName: string }[]
    expect(first?.byName).not.toBe(second?.byName)
  })
})

describe('those who are meant', () => {
  it('may be named in several ways at once, each device once', async () => {
    const [id] = await addDevices(world.db, ['HP-3'], { departmentId: world.a.shop, type: 3 })
    const targets = [{ sns: ['HP-1', 'HP-2'] }, { filter: { deviceType: ['3'] }, except: [id] }, { sns: ['HP-3'] }]
    expect((await alder.post(`${task}/targets`, { targets })).data).toMatchObject({
      total: 3,
      online: 2,
      each: [2, 2, 1],
    })
    expect(await give('reboot', { targets, without: ['HP-2'] })).toMatchObject({ data: { total: 2 } })
    expect((await give('lock', { targets: [{ sns: ['HP-1'], groupId: 1 }] })).status).toBe(400)
    expect((await give('lock', { targets, sns: ['HP-1'] })).status).toBe(400)
  })

  it('are told of with the apps they have, and what a command depends on', async () => {
    await sql`update device_state set locked = true from device where id = device_id and sn = 'HP-1'`.execute(world.db)
    await sql`insert into device_app (device_id, package, name, version)
      select id, 'org.till', 'Till', '1.4.0' from device union all
      select id, 'org.scan', 'Scan', '3.0.2' from device where sn = 'HP-1'`.execute(world.db)
    expect((await alder.post(`${task}/targets`, { sns: ['HP-1', 'HP-2'] })).data).toMatchObject({
      locked: 1,
      kiosk: 0,
      apps: [
        { package: 'org.till', name: 'Till', version: '1.4.0', devices: 2 },
        { package: 'org.scan', name: 'Scan', version: '3.0.2', devices: 1 },
      ],
    })
    const roleId = await addRole(world.db, { departmentId: world.a.id, permissions: ['device:list:list'] })
    await addUser(world.db, { username: 'alder.lister', departmentId: world.a.id, roleIds: [roleId] })
    const lister = await world.as('alder.lister')
    expect((await lister.post(`${task}/targets`, { sns: ['HP-1'] })).data).toMatchObject({ total: 1, apps: [] })
  })

  it('are waited for as long as is said, unless the command is for now or never', async () => {
    await give('reboot', { sns: ['HP-1'], waitMinutes: 7 * 24 * 60 })
    const { rows } = await sql<{ days: number }>`select round(extract(epoch from expires - now()) / 86400)::int as days
      from command`.execute(world.db)
    expect(rows).toEqual([{ days: 7 }])
    const door = await give('doorOpen', { sns: ['HP-2'], waitMinutes: 60 })
    expect(door).toMatchObject({ status: 400, data: { field: 'waitMinutes' } })
  })
})

describe('a message of one’s own', () => {
  it('says its topic as a field of its own, whatever its payload says', async () => {
    const made = await alder.post('/api/v3/device/broker/task/create', {
      name: 'Blink',
      topic: 'lamp/blink',
      payload: '{"command":"other","times":3}',
      sns: ['HP-1'],
    })
    expect(made.code).toBe(100000)
    const { rows } = await sql<{ args: object }>`select args from device_task`.execute(world.db)
    expect(rows[0]?.args).toEqual({ topic: 'lamp/blink', payload: { command: 'other', times: 3 } })
    const { data } = await alder.get('/api/v3/device/broker/task/list')
    expect(data.rows).toMatchObject([{ topic: 'lamp/blink' }])
  })

  it('that failed twice tells what became of each time to who may read messages', async () => {
    const message = { name: 'Blink', topic: 'lamp/blink', payload: '{}', sns: ['HP-1'] }
    const { data } = await alder.post('/api/v3/device/broker/task/create', message)
    await answerNewest(world, 'HP-1', 'failed', { error: 'no lamp' })
    await alder.post('/api/v3/device/broker/task/retry', { id: data.id })
    await answerNewest(world, 'HP-1', 'failed', { error: 'still no lamp' })
    const roleId = await addRole(world.db, { departmentId: world.a.id, permissions: ['broker:task:list'] })
    await addUser(world.db, { username: 'alder.messages', departmentId: world.a.id, roleIds: [roleId] })
    const reader = await world.as('alder.messages')
    const { rows } = (await reader.get('/api/v3/device/broker/task/fail/list', { taskId: data.id })).data
    expect(rows).toMatchObject([{ sn: 'HP-1', attempt: 2, reason: 'still no lamp' }])
    const [row] = rows as { id: number }[]
    const { attempts } = (await reader.get('/api/v3/device/broker/task/fail/detail', { id: row?.id })).data
    expect(attempts).toMatchObject([
      { attempt: 2, reason: 'still no lamp' },
      { attempt: 1, reason: 'no lamp' },
    ])
  })

  it('that is planned tells whom it is for to who may read messages, and no task of the other list', async () => {
    const broker = '/api/v3/device/broker/task'
    const message = { name: 'Blink', topic: 'lamp/blink', payload: '{}', sns: ['HP-1'], sendTime: inAnHour() }
    const { data } = await alder.post(`${broker}/create`, message)
    expect((await alder.get(`${broker}/planned`, { id: data.id })).data).toMatchObject({
      receiving: 1,
      rows: [{ sn: 'HP-1' }],
    })
    const { data: other } = await give('reboot', { sns: ['HP-1'], sendTime: inAnHour() })
    expect(await alder.get(`${broker}/planned`, { id: other.id })).toMatchObject({ status: 404 })
  })

  it('arrives the same by whichever call it was sent', async () => {
    await give('custom', { sns: ['HP-1'], args: { topic: 'tune', payload: { a: 1 } } })
    await alder.post('/api/v3/device/broker/task/create', {
      name: 'T',
      topic: 'tune',
      payload: '{"a":1}',
      sns: ['HP-1'],
    })
    const { rows } = await sql<{ args: object }>`select args from device_task`.execute(world.db)
    const told = { args: { topic: 'tune', payload: { command: 'tune', a: 1 } } }
    expect(rows).toEqual([told, told])
  })
})
