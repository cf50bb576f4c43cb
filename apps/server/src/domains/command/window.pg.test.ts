import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addRole, addUser } from '../../test/app.ts'
import { addDevices } from '../../test/devices.ts'
import { type Person, startWorld, type World } from '../../test/world.ts'
import { expireOverdue } from './command.store.ts'

let world: World
let alder: Person
const task = '/api/v3/device/task'
const org = '/api/v1/oauth/depts'

beforeAll(async () => {
  world = await startWorld({ roles: ['api', 'worker'] })
  alder = await world.as('alder.admin')
})
afterAll(() => world.stop())
beforeEach(async () => {
  await sql`delete from job`.execute(world.db)
  await sql`delete from device_task`.execute(world.db)
  await sql`delete from device`.execute(world.db)
  await sql`update department set maintenance_from = null, maintenance_to = null, maintenance_days = null,
    time_zone = null`.execute(world.db)
  await addDevices(world.db, ['OFFICE-1'], { departmentId: world.a.office, type: 3, online: true })
  await addDevices(world.db, ['SHOP-1', 'SHOP-2'], { departmentId: world.a.shop, type: 3, online: true })
  await addDevices(world.db, ['SCHOOL-1'], { departmentId: world.a.school, type: 3, online: true })
})

const hourMs = 3_600_000
/** The time of day by clocks that show UTC, so many hours from now. */
const clock = (hours: number) => new Date(Date.now() + hours * hourMs).toISOString().slice(11, 16)
const setWindow = async (id: number, from: number | null, to: number | null) =>
  expect(
    await alder.put(`${org}/update`, {
      id,
      maintenanceFrom: from === null ? null : clock(from),
      maintenanceTo: to === null ? null : clock(to),
    }),
  ).toMatchObject({ code: 100000 })
const openNow = (id: number) => setWindow(id, -2, 2)
const openLater = (id: number) => setWindow(id, 3, 5)
/** On days that the test runs on or not: open or shut, it is told the same. */
const setWeekend = async () => {
  const hours = { maintenanceFrom: '01:00', maintenanceTo: '04:00', maintenanceDays: [6, 7] }
  await alder.put(`${org}/update`, { id: world.a.id, ...hours })
  return { hours: '01:00–04:00 UTC' }
}
const nameOf = async (id: number) =>
  ((await alder.get(`${org}/detail`, { id })).data as { row: { name: string } }).row.name
const all = ['OFFICE-1', 'SHOP-1', 'SHOP-2', 'SCHOOL-1']
const order = (sns = all, rest: object = {}) => ({ command: 'reboot', sns, maintenance: true, ...rest })
const give = (sns?: string[], rest?: object) => alder.post('/api/v3/device/basic/command', order(sns, rest))
const commands = async (id: unknown) =>
  (
    await sql<{ sn: string; state: string; reason: string | null; left: number }>`select sn, state, reason,
      round(extract(epoch from expires - now()) / 60)::int as left from command where task_id = ${Number(id)} order by sn`.execute(
      world.db,
    )
  ).rows
const timeComes = async () => {
  await sql`update job set run_after = now() where state = 'queued'`.execute(world.db)
  await sql`select pg_notify('campanile_job', '')`.execute(world.db)
}
const taskOf = async (id: unknown) => (await alder.get(`${task}/detail`, { id })).data.row as Record<string, unknown>
const begun = async (id: unknown) => {
  await timeComes()
  await expect.poll(async () => (await taskOf(id)).progress, { timeout: 20_000 }).not.toBe('planned')
}

describe('the window of an organisation', () => {
  it.each([
    [{ maintenanceFrom: '02:00' }, 21077, 'maintenanceTo'],
    [{ maintenanceTo: '02:00' }, 21077, 'maintenanceFrom'],
    [{ maintenanceDays: [1] }, 21077, 'maintenanceFrom'],
    [{ maintenanceFrom: '02:00', maintenanceTo: '02:00' }, 21078, 'maintenanceTo'],
    [{ maintenanceFrom: '24:00', maintenanceTo: '02:00' }, 100002, 'maintenanceFrom'],
  ])('is refused as %j, and its field is named', async (hours, code, field) => {
    expect(await alder.put(`${org}/update`, { id: world.a.id, ...hours })).toMatchObject({ code, data: { field } })
    const draft = { name: 'New', parentId: world.a.id, type: 0, ...hours }
    expect(await alder.post(`${org}/create`, draft)).toMatchObject({ code, data: { field } })
  })

  it('is looked at whole when one end of it is changed, and written into the log', async () => {
    await alder.put(`${org}/update`, { id: world.a.id, maintenanceFrom: '22:00', maintenanceTo: '02:00' })
    expect(await alder.put(`${org}/update`, { id: world.a.id, maintenanceTo: '22:00' })).toMatchObject({ code: 21078 })
    expect(await alder.put(`${org}/update`, { id: world.a.id, maintenanceTo: null })).toMatchObject({ code: 21077 })
    await alder.put(`${org}/update`, { id: world.a.id, maintenanceTo: '03:00', maintenanceDays: [7, 1, 7] })
    const { row } = (await alder.get(`${org}/detail`, { id: world.a.id })).data as { row: object }
    expect(row).toMatchObject({ maintenanceFrom: '22:00', maintenanceTo: '03:00', maintenanceDays: [1, 7] })
    const { opLogs } = (await alder.get('/api/v1/gateway/op-log/list', { pageSize: 20 })).data
    const line = (opLogs as { id: number; type: string }[]).find(({ type }) => type === 'update')
    const told = await alder.get('/api/v1/gateway/op-log/detail', { id: line?.id })
    expect(JSON.stringify(told.data)).toMatch(/02:00.*03:00/)
  })
})

describe('an order for the maintenance window', () => {
  it('tells before it is given who goes now, who when, and who has no window', async () => {
    await openNow(world.a.office)
    await openLater(world.a.shop)
    const { data } = await alder.post(`${task}/preview`, order())
    expect(data).toMatchObject({
      total: 4,
      refused: [{ sns: ['SCHOOL-1'], code: 93038, message: expect.stringContaining('SCHOOL-1') }],
      windows: [
        { hours: `${clock(-2)}–${clock(2)} UTC`, open: true, devices: 1 },
        { hours: `${clock(3)}–${clock(5)} UTC`, open: false, devices: 2 },
      ],
      first: [{ sn: 'OFFICE-1' }, { sn: 'SHOP-1', sendTime: expect.any(String) }, { sn: 'SHOP-2' }],
    })
    expect(await alder.post(`${task}/preview`, { ...order(), without: ['SCHOOL-1'] })).toMatchObject({
      data: { total: 3, refused: [] },
    })
  })

  it('goes at once where it is open and is over when it closes, and begins elsewhere when it opens', async () => {
    await openNow(world.a.office)
    await openLater(world.a.shop)
    expect(await give()).toMatchObject({ code: 93038 })
    const made = await give(all, { partly: true })
    expect(made).toMatchObject({
      code: 100028,
      data: {
        total: 3,
        refused: 1,
        refusedDevices: [{ sn: 'SCHOOL-1', code: 93038 }],
        tasks: [{ total: 1 }, { total: 2 }],
      },
    })
    const [now, later] = made.data.tasks as { id: number; sendTime?: string }[]
    expect(now?.sendTime).toBe(undefined)
    const told = await commands(now?.id)
    expect(told).toMatchObject([
      { sn: 'OFFICE-1', state: 'queued' },
      { sn: 'SCHOOL-1', state: 'refused', reason: '93038' },
    ])
    // To the minute, however long a restart would wait otherwise.
    expect(told[0]?.left).toBeGreaterThan(118)
    expect(told[0]?.left).toBeLessThanOrEqual(120)
    expect(await taskOf(later?.id)).toMatchObject({
      progress: 'planned',
      maintenanceWindow: `${clock(3)}–${clock(5)} UTC`,
    })
    expect(Date.parse(later?.sendTime ?? '')).toBeGreaterThan(Date.now())
    expect(await commands(later?.id)).toEqual([])
    await begun(later?.id)
    const then = await commands(later?.id)
    expect(then).toMatchObject([
      { sn: 'SHOP-1', state: 'queued' },
      { sn: 'SHOP-2', state: 'queued' },
    ])
    expect(then[0]?.left).toBeGreaterThan(298)
    expect(then[0]?.left).toBeLessThanOrEqual(300)
  })

  it('goes by the nearest window above, on the clocks of the device’s own organisation', async () => {
    await alder.put(`${org}/update`, { id: world.a.id, maintenanceFrom: '02:00', maintenanceTo: '04:00' })
    await alder.put(`${org}/update`, { id: world.a.shop, timeZone: 'Asia/Tokyo' })
    await alder.put(`${org}/update`, { id: world.a.school, maintenanceFrom: '23:00', maintenanceTo: '01:00' })
    const { windows } = (await alder.post(`${task}/preview`, order())).data as { windows: { hours: string }[] }
    expect(windows.map(({ hours }) => hours).sort()).toEqual([
      '02:00–04:00 Asia/Tokyo',
      '02:00–04:00 UTC',
      '23:00–01:00 UTC',
    ])
  })

  it('tells its days and whose it is, and of what stands above its reader not even a name', async () => {
    const { hours } = await setWeekend()
    const roleId = await addRole(world.db, {
      departmentId: world.a.shop,
      permissions: ['device:list:restart', 'deviceTask:list:list', 'deviceTask:list:detail', 'org:list:list'],
    })
    await addUser(world.db, { username: 'shop.keeper', departmentId: world.a.shop, roleIds: [roleId] })
    const keeper = await world.as('shop.keeper')
    const tells = async (person: Person, of: string[]) => {
      const { data } = await person.post(`${task}/preview`, order(['SHOP-1', 'SHOP-2']))
      expect(data).toMatchObject({ windows: [{ hours, days: [6, 7], of, devices: 2 }] })
      const detail = await person.get(`${org}/detail`, { id: world.a.shop })
      expect(detail.data).toMatchObject({ maintenance: { hours, days: [6, 7], of, own: false } })
    }
    await tells(alder, [await nameOf(world.a.id)])
    await tells(keeper, [])
    const { data } = await give(['SHOP-1'])
    const shown = { maintenanceWindow: hours, maintenanceDays: [6, 7] }
    expect(await taskOf(data.id)).toMatchObject({ ...shown, maintenanceOf: [await nameOf(world.a.id)] })
    const seen = (await keeper.get(`${task}/list`)).data.rows as object[]
    for (const row of seen) expect(row).toMatchObject({ ...shown, maintenanceOf: [] })
    const own = await alder.get(`${org}/detail`, { id: world.a.id })
    expect(own.data).toMatchObject({ maintenance: { own: true } })
  })

  it('that is tried again says whether the window is open now, or when it opens', async () => {
    await openNow(world.a.id)
    const { data } = await give(['SHOP-1'])
    await alder.post(`${task}/cancel`, { id: data.id })
    const again = async () =>
      (await alder.post(`${task}/retry`, { id: data.id, only: 'cancelled', dryRun: true })).data as object
    expect(await again()).toMatchObject({ retried: 1, windows: [{ open: true, devices: 1 }] })
    await openLater(world.a.id)
    expect(await again()).toMatchObject({ windows: [{ open: false, opens: expect.any(String) }] })
    await setWindow(world.a.id, null, null)
    expect(await again()).toMatchObject({ windows: [] })
  })

  it('is refused to who has no window any more, or another one, and goes to who has come to it', async () => {
    await openLater(world.a.id)
    const { data } = await give(['OFFICE-1', 'SHOP-1', 'SCHOOL-1'])
    await setWindow(world.a.shop, 8, 9)
    await sql`update device set department_id = ${world.a.office} where sn = 'SCHOOL-1'`.execute(world.db)
    expect((await alder.get(`${task}/planned`, { id: data.id })).data).toMatchObject({
      receiving: 2,
      refused: 1,
      rows: [{ sn: 'SHOP-1', code: 93042 }, { sn: 'OFFICE-1' }, { sn: 'SCHOOL-1' }],
    })
    await begun(data.id)
    expect(await commands(data.id)).toMatchObject([
      { sn: 'OFFICE-1', state: 'queued' },
      { sn: 'SCHOOL-1', state: 'queued' },
      { sn: 'SHOP-1', state: 'refused', reason: '93042' },
    ])
  })

  it('does not begin when its organisation has other hours by then, and says so', async () => {
    await openLater(world.a.id)
    const { data } = await give(['OFFICE-1'])
    await setWindow(world.a.id, 8, 9)
    await begun(data.id)
    expect(await taskOf(data.id)).toMatchObject({ progress: 'failed', refusal: 93042 })
    expect(await commands(data.id)).toEqual([])
  })

  it('does not begin when the server comes back after it has closed, and says so', async () => {
    await openLater(world.a.id)
    const { data } = await give(['OFFICE-1'])
    await sql`update device_task set send_time = send_time - interval '1 day' where id = ${Number(data.id)}`.execute(
      world.db,
    )
    await begun(data.id)
    expect(await taskOf(data.id)).toMatchObject({ progress: 'failed', refusal: 93039 })
    expect(await commands(data.id)).toEqual([])
  })

  it('of all that match takes those that match by then, each in one task', async () => {
    await openLater(world.a.shop)
    await setWindow(world.a.office, 6, 7)
    const made = await alder.post('/api/v3/device/basic/command', {
      command: 'reboot',
      filter: {},
      maintenance: true,
      partly: true,
    })
    const [shop, office] = made.data.tasks as { id: number }[]
    await addDevices(world.db, ['SHOP-3'], { departmentId: world.a.shop, type: 3 })
    await begun(shop?.id)
    await begun(office?.id)
    expect((await commands(shop?.id)).map(({ sn, state }) => [sn, state])).toEqual([
      ['SCHOOL-1', 'refused'],
      ['SHOP-1', 'queued'],
      ['SHOP-2', 'queued'],
      ['SHOP-3', 'queued'],
    ])
    expect((await commands(office?.id)).map(({ sn }) => sn)).toEqual(['OFFICE-1'])
  })

  it('that was not done when its window closed says so', async () => {
    await openNow(world.a.id)
    const { data } = await give(['OFFICE-1'])
    await sql`update device_task set maintenance_end = now() - interval '1 minute' where id = ${data.id}`.execute(
      world.db,
    )
    await sql`update command set expires = now() - interval '1 minute' where task_id = ${data.id}`.execute(world.db)
    await expireOverdue(world.db)
    expect(await commands(data.id)).toMatchObject([{ state: 'expired', reason: 'windowClosed' }])
  })

  it('waits no longer than the command says where that is for now or never', async () => {
    await openNow(world.a.id)
    const { data } = await give(['OFFICE-1'], { command: 'doorOpen' })
    expect((await commands(data.id))[0]?.left).toBeLessThanOrEqual(2)
  })

  it('names no other time', async () => {
    await openNow(world.a.id)
    for (const other of [{ waitMinutes: 60 }, { sendTime: new Date(Date.now() + hourMs).toISOString() }])
      expect(await give(['OFFICE-1'], other)).toMatchObject({ code: 100002, data: { field: 'maintenance' } })
  })
})
