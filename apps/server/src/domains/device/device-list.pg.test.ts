import { device, sortable, totalLimit } from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { countActivity } from './activity.ts'
import { basic, startRegistry } from './registry.fixture.ts'

const registry = await startRegistry()
const { world, alder, birch, add, sns } = registry

afterAll(() => world.stop())
beforeEach(() => registry.clear())

describe('the list of devices', () => {
  it('finds one serial by part and several as they stand, however they were pasted', async () => {
    for (const sn of ['HP-1', 'HP-10', 'HP-2', 'ZZ-1']) await add(sn)
    expect(await sns({ sn: 'hp-1' })).toEqual(['HP-1', 'HP-10'])
    expect(await sns({ sn: '"HP-1"' })).toEqual(['HP-1'])
    expect(await sns({ sn: '"hp"' })).toEqual([])
    expect(await sns({ sn: 'HP-1/ZZ-1' })).toEqual(['HP-1', 'ZZ-1'])
    expect(await sns({ sn: ' HP-1,\nHP-2  ZZ-1 ' })).toEqual(['HP-1', 'HP-2', 'ZZ-1'])
    const many = Array.from({ length: 201 }, (_, at) => `S${at}`)
    expect((await alder.get(`${basic}/list`, { sn: many.slice(1).join('/') })).code).toBe(100000)
    expect(await alder.get(`${basic}/list`, { sn: many.join('/') })).toMatchObject({
      code: 100022,
      data: { limit: 200 },
    })
  })

  it('filters by everything the list declares', async () => {
    await add('HP-1', { model: 'M1', imei: '123456', batchNumber: 'B7' })
    await add('HP-2', { model: 'M2', departmentId: world.a.office, deviceType: 4 })
    await sql`update device_state set iot_status = 'online', firmware_version = '1.2', locked = true, robot_state = 'idle'
      where device_id = (select id from device where sn = 'HP-1')`.execute(world.db)
    for (const query of [
      { model: 'm1' },
      { imei: '345' },
      { batchNumber: 'b7' },
      { departmentId: world.a.shop },
      { deviceType: [3, 5] },
      { iotStatus: 'online' },
      { firmwareVersion: '1.' },
      { locked: 'true' },
      { robotState: ['idle', 'working'] },
    ])
      expect([query, await sns(query)]).toEqual([query, ['HP-1']])
    expect(await sns({ activationStatus: 0, departmentId: world.a.id })).toEqual(['HP-1', 'HP-2'])
  })

  it('finds versions from one on and below another by their numbers, and values between two', async () => {
    for (const [sn, firmware] of [
      ['HP-1', '3.9.4'],
      ['HP-2', '3.10.0-rc1'],
      ['HP-3', '3.10'],
      ['HP-4', null],
    ] as const) {
      const id = await add(sn)
      await sql`update device_state set firmware_version = ${firmware}, battery = ${id % 2 === 0 ? 9 : 90},
        connected_at = ${firmware === '3.9.4' ? '2026-01-02T00:00:00Z' : '2026-02-02T00:00:00Z'} where device_id = ${id}`.execute(
        world.db,
      )
    }
    expect(await sns({ firmwareVersionBelow: '3.10' })).toEqual(['HP-1'])
    expect(await sns({ firmwareVersionFrom: '3.10' })).toEqual(['HP-2', 'HP-3'])
    expect(await sns({ firmwareVersionFrom: '3.9', firmwareVersionBelow: '4' })).toEqual(['HP-1', 'HP-2', 'HP-3'])
    expect((await sns({ batteryMax: 20 })).length + (await sns({ batteryMin: 21 })).length).toBe(4)
    expect(await sns({ batteryMax: 20.5 })).toEqual(await sns({ batteryMax: 20 }))
    expect(await sns({ batteryMin: 20.5 })).toEqual(await sns({ batteryMin: 21 }))
    expect(await sns({ battery: 20.5 })).toEqual([])
    expect(await sns({ endTime: '2026-01-31T00:00:00Z' })).toEqual(['HP-1'])
    expect((await alder.get(`${basic}/list`, { firmwareVersionBelow: 'new' })).code).toBe(100002)
    expect(await alder.get(`${basic}/list`, { charging: 'yes' })).toMatchObject({
      code: 100002,
      message: expect.stringMatching(/charging.* It takes: unknown, charging, notCharging\.$/),
      data: { field: 'charging', allowed: ['unknown', 'charging', 'notCharging'] },
    })
  })

  it('counts what each value of a filter would leave, of those within reach, a filter that is set without itself', async () => {
    await add('HP-1')
    await add('HP-2', { deviceType: 4 })
    await add('HP-3', { deviceType: 4, departmentId: world.a.office })
    await add('BI-1', { departmentId: world.b.shop }, birch)
    await sql`update device_state set iot_status = 'online' where device_id in
      (select id from device where sn in ('HP-1', 'BI-1'))`.execute(world.db)
    await sql`update device_state set battery = 5 where device_id = (select id from device where sn = 'HP-1')`.execute(
      world.db,
    )
    // The third was never activated: it is not offline.
    await sql`update device set activation_status = 2 where sn <> 'HP-3'`.execute(world.db)
    const counts = async (query: Record<string, unknown> = {}) => {
      const { data } = await alder.get(`${basic}/counts`, query)
      const byField = Object.entries(data.counts as Record<string, { value: string; count: number }[]>)
      return Object.fromEntries(
        byField.map(([field, each]) => [field, Object.fromEntries(each.map(({ value, count }) => [value, count]))]),
      )
    }
    expect(await counts()).toMatchObject({
      iotStatus: { online: 1, offline: 1 },
      deviceType: { 3: 1, 4: 2 },
      locked: { false: 3 },
      licence: { none: 3 },
      problem: { battery: 1 },
    })
    expect(await counts({ deviceType: 4 })).toMatchObject({ iotStatus: { offline: 1 }, deviceType: { 3: 1, 4: 2 } })
    expect(await counts({ departmentId: world.a.office })).toMatchObject({ deviceType: { 4: 1 } })
  })

  it('tells how many devices a view holds, of those within reach, and stops counting where it no longer matters', async () => {
    await add('HP-1')
    await add('HP-2', { deviceType: 4 })
    await add('BI-1', { departmentId: world.b.shop, deviceType: 4 }, birch)
    const total = async (query: Record<string, unknown> = {}) => (await alder.get(`${basic}/total`, query)).data
    expect(await total()).toEqual({ total: 2, more: false })
    expect(await total({ deviceType: 4 })).toEqual({ total: 1, more: false })
    expect(await total({ battery: 5, sn: 'none' })).toEqual({ total: 0, more: false })
    expect((await alder.get(`${basic}/total`, { firmwareVersionBelow: 'new' })).code).toBe(100002)
    await sql`insert into device (sn, department_id, device_type, batch_number)
      select 'MANY-' || n, ${world.a.id}, 4, 'many' from generate_series(1, ${totalLimit}) n`.execute(world.db)
    expect(await total({ deviceType: 4 })).toEqual({ total: totalLimit, more: true })
  })

  it.each(sortable(device))(
    'holds the same devices ordered by %s, forwards and backwards, to whoever asks',
    async (sort) => {
      for (const n of [3, 1, 2]) {
        const id = await add(`HP-${n}`, { model: `M${n}`, deviceType: n })
        await sql`update device_state set battery = ${n}, firmware_version = ${`1.${n}`}, connected_at = now() - ${n} * interval '1 h'
        where device_id = ${id}`.execute(world.db)
      }
      await add('BI-1', { departmentId: world.b.shop }, birch)
      await sql`update device set activation_status = 2`.execute(world.db)
      const root = await world.as('admin')
      for (const query of [{}, { firmwareVersion: '1.' }, { deviceType: [1, 2, 3], iotStatus: 'offline' }]) {
        const forwards = await sns({ ...query, sort })
        expect(forwards.toSorted()).toEqual(['HP-1', 'HP-2', 'HP-3'])
        expect(await sns({ ...query, sort: `-${sort}` })).toEqual(forwards.toReversed())
        expect((await sns({ ...query, sort }, root)).filter((sn) => sn.startsWith('HP'))).toEqual(forwards)
      }
    },
  )
})

describe('lists of one type', () => {
  const rows = async (kind: string, query: object = {}, who = alder) =>
    (await who.get(`/api/v3/device/${kind}/list`, query as Record<string, unknown>)).data.rows as object[]

  it('hold their type only, with what those devices say of themselves', async () => {
    await add('RB-1')
    await add('KS-1', { deviceType: 5 })
    await add('VP-1', { deviceType: 4, departmentId: world.a.school })
    await sql`update device_state set robot_state = 'idle', battery = 55, iot_status = 'online',
      values = '{"printer":{"v":"paper low","t":1},"cash":{"v":"ok","t":1}}'`.execute(world.db)
    expect(await rows('robot')).toMatchObject([
      { sn: 'RB-1', robotState: 'idle', battery: 55, iotStatus: 'online', lastTask: null },
    ])
    expect(await rows('selfService')).toMatchObject([{ sn: 'KS-1', printer: 'paper low', cash: 'ok' }])
    expect(await rows('videoPhone')).toMatchObject([
      { sn: 'VP-1', schoolName: 'alder school', licence: 'none', powerOff: null },
    ])
    expect(await rows('robot', { robotState: 'working' })).toEqual([])
    expect(await rows('robot', {}, birch)).toEqual([])
  })

  it('change what people may say of those devices, of that type and within reach', async () => {
    const id = await add('RB-1')
    const other = await add('KS-1', { deviceType: 5 })
    expect((await alder.put('/api/v3/device/robot/update', { id, name: 'Bella' })).code).toBe(100000)
    expect(await rows('robot', { name: 'bell' })).toMatchObject([{ sn: 'RB-1', name: 'Bella' }])
    expect((await alder.put('/api/v3/device/robot/update', { id: other, name: 'x' })).status).toBe(404)
    expect((await birch.put('/api/v3/device/robot/update', { id, name: 'x' })).status).toBe(404)
    expect((await alder.put('/api/v3/device/robot/update', { id, robotState: 'idle' })).code).toBe(100009)
  })

  it('show the licence of a phone and the power schedule it has taken last', async () => {
    const id = await add('VP-1', { deviceType: 4, departmentId: world.a.school })
    await sql`insert into licence (kind, device_id, start_date, expiry)
      values ('im', ${id}, current_date - 9, current_date + 3), ('iot', ${id}, current_date, current_date + 99)`.execute(
      world.db,
    )
    const told = async (args: object, state: string) =>
      sql`with task as (insert into device_task (command, args, department_id)
          values ('powerSchedule', ${JSON.stringify(args)}::jsonb, ${world.a.id}) returning id)
        insert into command (task_id, device_id, sn, department_id, command, state, expires, end_time)
        select task.id, ${id}::bigint, 'VP-1', ${world.a.id}::bigint, 'powerSchedule', ${state}, now(), clock_timestamp()
        from task`.execute(world.db)
    await told({ off: '22:00', on: '06:30', weekdays: [1] }, 'done')
    await told({ off: '23:00', on: '07:00', weekdays: [1] }, 'failed')
    expect(await rows('videoPhone', { licence: 'expiring' })).toMatchObject([
      { licenceExpiry: expect.stringMatching(/^\d{4}-/), powerOff: '22:00', powerOn: '06:30' },
    ])
    expect(await rows('videoPhone', { licence: ['none', 'active'] })).toEqual([])
    await told({ off: '22:00', on: '06:30', weekdays: [1], enabled: false }, 'done')
    expect(await rows('videoPhone')).toMatchObject([{ powerOff: null, powerOn: null }])
  })
})

describe('figures', () => {
  it('add up, and stop at the border of the organisation', async () => {
    for (const sn of ['HP-1', 'HP-2', 'HP-3']) await add(sn)
    await add('BI-1', { departmentId: world.b.shop }, birch)
    await sql`update device set activation_status = 2 where sn in ('HP-1', 'HP-2')`.execute(world.db)
    await sql`update device_state set iot_status = 'online', last_seen = now()
      where device_id = (select id from device where sn = 'HP-1')`.execute(world.db)
    const { data } = await alder.get(`${basic}/statistics`)
    expect(data).toMatchObject({
      totalNum: 3,
      warehouse: 1,
      distributed: 2,
      onlineNum: 1,
      offlineNum: 1,
      onlineToday: 1,
      offlineToday: 1,
    })
    await countActivity(world.db)
    const active = await alder.get('/api/v3/home/deviceActive', { periodType: 1 })
    expect((active.data.rows as { active: number }[]).at(-1)).toMatchObject({ active: 1, previous: null })
    const summary = await alder.get('/api/v3/analysis/deviceSummary/list', { periodType: 2, pageSize: 1 })
    expect(summary.data).toMatchObject({
      total: 1,
      rows: [{ onlineDevices: 1, totalDevices: 3, onlineRate: 0.3333, assignedDevices: 2 }],
    })
  })
})
