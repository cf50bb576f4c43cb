import {
  type ActivityStep,
  appSpread,
  departmentStatistics,
  device,
  deviceActive,
  deviceStatistics,
  deviceSummary,
  firmwareSpread,
  iotLicence,
  modelSpread,
  type Statistics,
} from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addRole, addUser } from '../../test/app.ts'
import { addDevices } from '../../test/devices.ts'
import { type Person, startWorld, type World } from '../../test/world.ts'
import { countActivity } from './activity.ts'

let world: World
let alder: Person

/** What each device is, so that every figure can be counted with the eyes. */
const fleet = [
  // sn, activation, status, hours since it was last heard of, credential, model, firmware, apps
  { sn: 'A-1', active: 2, status: 'online', heard: 0, credential: true, model: 'M1', firmware: '1.0', app: 'org.a' },
  {
    sn: 'A-2',
    active: 2,
    status: 'flapping',
    heard: 9600,
    credential: true,
    model: 'M1',
    firmware: '1.1',
    app: 'org.a',
  },
  {
    sn: 'A-3',
    active: 1,
    status: 'offline',
    heard: 9600,
    credential: true,
    model: 'M2',
    firmware: '1.0',
    app: 'org.b',
  },
  { sn: 'A-4', active: 3, status: 'offline', heard: null, credential: false, model: 'M2', firmware: null, app: null },
  { sn: 'A-5', active: 0, status: 'offline', heard: null, credential: false, model: null, firmware: null, app: null },
] as const

const addFleet = (departmentId: number) =>
  sql`with made as (
      insert into device (sn, department_id, device_type, batch_number, activation_status, credential_hash, model)
      select u.sn, ${departmentId}, 2, 'B', u.active, case when u.credential then '\\x00'::bytea end, u.model
      from jsonb_to_recordset(${JSON.stringify(fleet)}::jsonb) as u(sn text, active smallint, credential boolean, model text)
      returning id, sn),
    state as (insert into device_state (device_id, iot_status, last_seen, firmware_version)
      select made.id, u.status, now() - u.heard * interval '1 hour', u.firmware
      from made join jsonb_to_recordset(${JSON.stringify(fleet)}::jsonb)
        as u(sn text, status text, heard int, firmware text) using (sn))
    insert into device_app (device_id, package) select made.id, u.app
    from made join jsonb_to_recordset(${JSON.stringify(fleet)}::jsonb) as u(sn text, app text) using (sn)
    where u.app is not null`.execute(world.db)

const license = (sn: string, days: number, revoked = false) =>
  sql`insert into licence (kind, device_id, start_date, expiry, revoked)
    select 'iot', id, current_date - 10, current_date + ${days}::int, ${revoked} from device where sn = ${sn}`.execute(
    world.db,
  )

beforeAll(async () => {
  world = await startWorld()
  alder = await world.as('alder.admin')
  await addFleet(world.a.shop)
  await addDevices(world.db, ['B-1'], { departmentId: world.b.shop, activation: 2, model: 'M1' })
  await license('A-1', 400)
  await license('A-2', 29)
  await license('A-3', -1)
  await license('A-4', 400, true)
})
afterAll(() => world.stop())

const statistics = async (who = alder) => (await who.get(deviceStatistics.path)).data as unknown as Statistics
const total = async (query: Record<string, unknown>, path: string = device.wire.path) =>
  (await alder.get(`${path}/list`, query)).data.total

describe('the fleet’s figures', () => {
  it('are of one department, and of a time, where these are asked for', async () => {
    const asked = async (query: Record<string, unknown>) => (await alder.get(deviceStatistics.path, query)).data
    expect(await asked({ departmentId: world.a.shop })).toMatchObject({ totalNum: fleet.length, deviceCertCount: 2 })
    expect(await asked({ departmentId: world.a.office })).toMatchObject({ totalNum: 0, deviceCertCount: 0 })
    expect(await asked({ departmentId: world.b.shop })).toMatchObject({ totalNum: 0 })
    await sql`insert into presence_log (device_id, time, online) select id, '2026-01-10T08:00:00Z'::timestamptz, true from device
      where sn in ('A-1', 'A-2') union all select id, '2026-01-11T08:00:00Z'::timestamptz, false from device where sn = 'A-2'`.execute(
      world.db,
    )
    const day = async (date: string) =>
      (await asked({ startTime: `${date}T00:00:00Z`, endTime: `${date}T23:59:59Z`, periodType: 7 })).activeNum
    expect(await Promise.all(['2026-01-09', '2026-01-10', '2026-01-11', '2026-01-12'].map(day))).toEqual([0, 2, 2, 1])
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    expect(await day(tomorrow)).toBe(0)
    await sql`update device_state set last_seen = now() where device_id in (select id from device where sn in ('A-3', 'A-5'))`.execute(
      world.db,
    )
    const now = await asked({ periodType: 2 })
    expect(now).toMatchObject({ activeNum: 3, onlineToday: 3 })
    expect(await day(String(now.startTime).slice(0, 10))).toBe(3)
    await sql`update device_state s set last_seen = case t.sn when 'A-3' then now() - interval '9600 hours' end
      from device t where t.id = s.device_id and t.sn in ('A-3', 'A-5')`.execute(world.db)
    expect(await asked({ periodType: 2 })).toMatchObject({
      activeNum: 2,
      periodType: 2,
      startTime: expect.any(String),
      endTime: expect.any(String),
    })
    expect(await alder.get(deviceStatistics.path, { periodType: 7 })).toMatchObject({ code: 100001 })
    await sql`delete from presence_log`.execute(world.db)
  })

  it('are what was counted with the eyes', async () => {
    expect(await statistics()).toMatchObject({
      totalNum: 5,
      warehouse: 1,
      distributed: 4,
      currentDistribution: 3,
      onlineNum: 1,
      flappingNum: 1,
      offlineNum: 2,
      onlineToday: 2,
      offlineToday: 2,
      deviceCertCount: 2,
      licencesExpiring: 1,
    })
  })

  it('equal the lists they lead to, each of them', async () => {
    const figures = await statistics()
    const inUse = { activationStatus: [1, 2, 3] }
    expect({
      totalNum: await total({}),
      warehouse: await total({ activationStatus: 0 }),
      distributed: await total(inUse),
      currentDistribution: await total({ enrolled: true }),
      onlineToday: await total({ seenToday: true }),
      offlineToday: await total({ seenToday: false }),
      onlineNum: await total({ ...inUse, iotStatus: 'online' }),
      offlineNum: await total({ iotStatus: 'offline' }),
      flappingNum: await total({ ...inUse, iotStatus: 'flapping' }),
      awayNum: await total({ problem: 'away' }),
      deviceCertCount: await total({ state: ['active', 'expiring'] }, iotLicence.wire.path),
      licencesExpiring: await total({ state: 'expiring' }, iotLicence.wire.path),
      chargingNum: await total({ charging: 'charging' }),
      breakdownNum: await total({ robotState: 'breakdown' }),
      workingNum: await total({ robotState: 'working' }),
      idleNum: await total({ robotState: 'idle' }),
      activeNum: await total({ active: true }),
    }).toEqual(
      Object.fromEntries(
        Object.entries(figures).filter(([name]) => !['periodType', 'startTime', 'endTime'].includes(name)),
      ),
    )
  })

  it('mean by offline what the filter counts: in use and not connected, so nothing that was never activated', async () => {
    const { counts } = (await alder.get(`${device.wire.path}/counts`, {})).data as {
      counts: Record<string, { value: string; count: number }[]>
    }
    const told = Object.fromEntries((counts.iotStatus ?? []).map(({ value, count }) => [value, count]))
    const { offlineNum, onlineNum, flappingNum } = await statistics()
    expect(told).toEqual({ online: onlineNum, offline: offlineNum, flapping: flappingNum })
  })

  it('spread over firmware, models and apps as the lists do', async () => {
    const spread = async (path: string) => (await alder.get(path)).data.countJson as Record<string, number>
    expect(await spread(firmwareSpread.path)).toEqual({ '1.0': 2, '1.1': 1 })
    expect(await spread(modelSpread.path)).toEqual({ M1: 2, M2: 2 })
    expect(await spread(appSpread.path)).toEqual({ 'org.a': 2, 'org.b': 1 })
    expect(await spread(`${appSpread.path}?package=org.a`)).toEqual({ '': 2 })
    expect([
      await total({ firmwareVersion: '"1.0"' }),
      await total({ model: '"M1"' }),
      await total({ app: 'org.a' }),
    ]).toEqual([2, 2, 2])
    expect(await total({ app: 'org' })).toBe(0)
  })

  it('of one organisation are asked for by its number', async () => {
    const shop = await alder.get(departmentStatistics.path, { departmentId: world.a.shop })
    expect(shop.data).toEqual({ deviceCertCount: 2, devices: 5, online: 2 })
    const theirs = await alder.get(departmentStatistics.path, { departmentId: world.b.id })
    expect(theirs.data).toMatchObject({ devices: 0 })
  })

  it('are told to who may see devices, and count those alone', async () => {
    const orgs = await addRole(world.db, { departmentId: world.a.id, permissions: ['org:list:list'] })
    const devices = await addRole(world.db, { departmentId: world.a.school, permissions: ['device:list:list'] })
    await addUser(world.db, { username: 'clerk', departmentId: world.a.id, roleIds: [orgs] })
    await addUser(world.db, { username: 'teacher', departmentId: world.a.id, roleIds: [orgs, devices] })
    expect(await (await world.as('clerk')).get(deviceStatistics.path)).toMatchObject({ code: 100013 })
    expect(await statistics(await world.as('teacher'))).toMatchObject({ totalNum: 0 })
  })
})

describe('activity', () => {
  const past = (period: number, start: string, active: number, departmentId = world.a.shop) =>
    sql`insert into device_activity (period, start, department_id, active, total, distributed)
      values (${period}, ${start}, ${departmentId}, ${active}, 5, 4)`.execute(world.db)
  const active = async (query: Record<string, unknown>) =>
    (await alder.get(deviceActive.path, query)).data.rows as ActivityStep[]

  it('stands beside the same step of the span before; what nobody counted is not nought', async () => {
    await past(1, '2026-03-02T10:00:00Z', 7)
    await past(1, '2026-03-02T11:00:00Z', 0)
    await past(1, '2026-03-02T13:00:00Z', 9)
    await past(1, '2026-03-02T13:00:00Z', 1, world.a.office)
    await past(1, '2026-03-02T13:00:00Z', 50, world.b.shop)
    await past(1, '2026-03-02T08:00:00Z', 3)
    const rows = await active({
      periodType: 1,
      startTime: '2026-03-02T10:00:00Z',
      endTime: '2026-03-02T13:30:00Z',
    })
    expect(rows.map(({ time, active: now, previous }) => [time.slice(11, 13), now, previous])).toEqual([
      ['10', 7, null],
      ['11', 0, null],
      ['12', null, 3],
      ['13', 10, null],
    ])
  })

  it('of a span that ends before it begins is refused, as its figures and its summary are', async () => {
    const span = { periodType: 7, startTime: '2026-03-02T10:00:00.000Z', endTime: '2026-03-01T10:00:00.000Z' }
    for (const { path } of [deviceActive, deviceSummary, deviceStatistics]) {
      const answer = await alder.get(path, span)
      expect(answer).toMatchObject({ code: 100023, data: { field: 'endTime' } })
      expect(answer.message).toContain(span.startTime)
    }
  })

  it('counts who is there now and sums up by day, week and month', async () => {
    await countActivity(world.db)
    for (const periodType of [1, 2, 3, 4]) expect((await active({ periodType })).at(-1)).toMatchObject({ active: 2 })
    const summary = await alder.get(deviceSummary.path, { periodType: 2 })
    expect(summary.data).toMatchObject({
      total: 1,
      rows: [{ onlineDevices: 2, totalDevices: 5, onlineRate: 0.4, assignedDevices: 4 }],
    })
  })

  it('forgets devices that came and went on the same day, also the last ones of a department', async () => {
    const totals = async () => {
      await countActivity(world.db)
      return (await alder.get(deviceSummary.path, { periodType: 2 })).data.rows
    }
    await addDevices(world.db, ['GONE-1', 'GONE-2'], { departmentId: world.a.office, activation: 2 })
    expect(await totals()).toMatchObject([{ totalDevices: 7, assignedDevices: 6 }])
    await sql`delete from device where sn like 'GONE-%'`.execute(world.db)
    expect(await totals()).toMatchObject([{ totalDevices: 5, assignedDevices: 4 }])
  })
})
