import {
  type AppTraffic,
  deviceTimeline,
  deviceTraffic,
  exportTraffic,
  exportTrafficByApp,
  organisationDetail,
  protocol,
  setTrafficLimit,
  trafficByApp,
} from '@campanile/contract'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseWorkbook } from '../../platform/sheet/parse.ts'
import { addRole, addUser, newsTold } from '../../test/app.ts'
import { addDevice } from '../../test/devices.ts'
import { connectDevice, eventually } from '../../test/mqtt.ts'
import { type Person, startWorld, type World } from '../../test/world.ts'
import { countAppTraffic, forgetCounters } from './app-traffic.store.ts'
import { appendPoints, writeStates } from './ingest.store.ts'
import { type Point, pointOf } from './telemetry/codec.ts'
import { keepTelemetry, packPoints } from './telemetry/packing.ts'
import { whole } from './telemetry/rollup.ts'
import { findRollups, periodOf, slotOf, writeRollups } from './telemetry/telemetry.store.ts'
import { warnOfTraffic } from './traffic-alarm.ts'

let world: World
let alder: Person
let id: number
const mega = 1_000_000

beforeAll(async () => {
  world = await startWorld({ roles: ['api', 'gateway', 'worker'] })
  alder = await world.as('alder.operator')
  id = (await addDevice(world.db, { sn: 'HP-1', departmentId: world.a.shop })).id
  await sql`update device_state set last_seen = now() where device_id = ${id}`.execute(world.db)
})
afterAll(() => world.stop())

const report = (mobileDown: number, ts: number) =>
  appendPoints(world.db, new Date(), [{ id, point: pointOf({ ts, mobileDown }) as Point }])
const check = () => warnOfTraffic({ db: world.db, notify: world.app.services.notify }, new Date())
const told = async () => {
  await newsTold(world.db)
  return (
    await sql<{ username: string }>`select u.username from notification n join sys_user u on u.id = n.user_id
      where n.title = 'trafficAlarm' order by 1`.execute(world.db)
  ).rows.map(({ username }) => username)
}

it('warns once a month of a device that has used its share, on its timeline and to those who look after it', async () => {
  await sql`update device set traffic_limit_mb = 100, traffic_alarm_percent = 80 where id = ${id}`.execute(world.db)
  const now = Date.now()
  await report(0, now - 3_000)
  await report(79 * mega, now - 2_000)
  await check()
  expect(await told()).toEqual([])
  await report(80 * mega, now - 1_000)
  await check()
  const people = ['alder.admin', 'alder.auditor', 'alder.operator', 'harbour.admin']
  expect(await told()).toEqual(people)
  await report(99 * mega, now)
  await check()
  expect(await told()).toEqual(people)
  const { data } = await alder.get(deviceTimeline.path, { sn: 'HP-1' })
  expect(data.rows).toMatchObject([
    { kind: 'event', title: 'trafficAlarm', level: 'major', data: { data: { usedMb: 80, limitMb: 100, percent: 80 } } },
    { kind: 'registered' },
  ])
})

it('gives the days of a month as they are and as a sheet with their sum', async () => {
  const { data } = await alder.get(deviceTraffic.path, { sn: 'HP-1' })
  expect(data).toMatchObject({ usedMb: 99, limitMb: 100 })
  const response = await world.app.inject({
    url: `${exportTraffic.path}?sn=HP-1`,
    headers: { sessionid: alder.token },
  })
  const [head, ...rows] = await parseWorkbook(response.rawPayload)
  expect(head?.cells[0]).toBe('Date')
  expect(rows.reduce((sum, { cells }) => sum + Number(cells.at(-1)), 0)).toBe(99 * mega)
})

it('gives the days between any two, and no more than a year of them', async () => {
  const today = new Date().toISOString().slice(0, 10)
  const of = (span: Record<string, string>) => alder.get(deviceTraffic.path, { sn: 'HP-1', ...span })
  expect((await of({ startDate: today, endDate: today })).data).toMatchObject({ usedMb: 99, days: [{ date: today }] })
  expect((await of({ startDate: '2026-01-01', endDate: '2026-01-31' })).data).toMatchObject({ usedMb: 0, days: [] })
  expect(await of({ startDate: '2024-01-01', endDate: today })).toMatchObject({ code: 100024 })
  expect(await of({ startDate: today, endDate: '2026-01-01' })).toMatchObject({
    code: 100023,
    data: { field: 'endDate' },
  })
})

describe('the counters of a device', () => {
  let made = 0
  const hour = 3_600_000
  const day = 24 * hour
  const midnight = Math.floor(Date.now() / day) * day
  const counting = async (received: number, readings: readonly [ts: number, mobileUp: number][]) => {
    const device = await addDevice(world.db, { sn: `COUNT-${++made}`, departmentId: world.a.shop })
    await tell(device.id, received, readings)
    return device
  }
  const tell = (deviceId: number, received: number, readings: readonly [ts: number, mobileUp: number][]) =>
    appendPoints(
      world.db,
      new Date(received),
      readings.map(([ts, mobileUp]) => ({ id: deviceId, point: pointOf({ ts, mobileUp }) as Point })),
    )
  const date = (at: number) => new Date(at).toISOString().slice(0, 10)
  const used = async (sn: string, from: number, to: number) => {
    const { data } = await alder.get(deviceTraffic.path, { sn, startDate: date(from), endDate: date(to) })
    const days = data.days as { date: string; mobileUp: number }[]
    return { usedMb: data.usedMb, days: Object.fromEntries(days.map((each) => [each.date, each.mobileUp])) }
  }
  const pack = () => keepTelemetry(world.db, new Date(Date.now() + 3 * hour))

  it('that begin anew show what they counted since, however far apart and whether packed or not', async () => {
    const start = midnight - 2 * day + 2 * hour
    const readings = [1, 5, 9, 1, 3].map((value) => value * mega)
    const devices: Awaited<ReturnType<typeof counting>>[] = []
    for (const apart of [2_000, 600_000, hour])
      devices.push(
        await counting(
          Date.now(),
          readings.map((value, at) => [start + at * apart, value]),
        ),
      )
    const check = async () => {
      for (const { sn } of devices)
        expect(await used(sn, start, start)).toEqual({ usedMb: 11, days: { [date(start)]: 11 * mega } })
    }
    await check()
    await pack()
    await check()
    // A reading that comes late belongs where it was read: the count went on to 10 before it began anew.
    const [first] = devices
    await tell(first?.id as number, Date.now(), [[start + 5_000, 10 * mega]])
    const late = { usedMb: 12, days: { [date(start)]: 12 * mega } }
    expect(await used(first?.sn as string, start, start)).toEqual(late)
    await pack()
    expect(await used(first?.sn as string, start, start)).toEqual(late)
  })

  it('are told by their hours where a day was kept without what they counted', async () => {
    const start = midnight - 2 * day
    const place = protocol.telemetryNames.indexOf('mobileUp')
    const { id: deviceId, sn } = await counting(Date.now(), [])
    const kept = (min: number, max: number) => new Map([[place, { count: 2, sum: min + max, min, max }]])
    const hours = new Map([
      [1, kept(10 * mega, 90 * mega)],
      [2, kept(0, 30 * mega)],
    ])
    await writeRollups(world.db, 'hour', [{ deviceId, period: periodOf('hour', start), slots: hours }])
    const slots = new Map([[slotOf('day', start), whole(hours)]])
    await writeRollups(world.db, 'day', [{ deviceId, period: periodOf('day', start), slots }])
    expect((await used(sn, start, start)).days).toEqual({ [date(start)]: 110 * mega })
    await tell(deviceId, Date.now(), [[start + 4 * hour, 35 * mega]])
    expect((await used(sn, start, start)).usedMb).toBe(115)
  })

  it('tell the same of a day whatever the period, held against the last reading before it', async () => {
    const days = [80, 12, 3, 2, 1].map((back) => midnight - back * day)
    const readings = days.flatMap((at, index): [number, number][] => [
      [at + 10 * hour, 100 * index * mega + 10 * mega],
      [at + 20 * hour, 100 * index * mega + 60 * mega],
    ])
    const { id: deviceId, sn } = await counting(Date.now(), readings.slice(2))
    await world.db
      .transaction()
      .execute((tx) =>
        packPoints(
          tx as typeof world.db,
          [{ deviceId, points: readings.slice(0, 2).map(([ts, mobileUp]) => pointOf({ ts, mobileUp }) as Point) }],
          0,
        ),
      )
    const check = async () => {
      const last = days.at(-1) as number
      for (const [at, from] of days.entries()) {
        const each = at === 0 ? 50 * mega : 100 * mega
        expect((await used(sn, from, from)).days).toEqual({ [date(from)]: each })
        expect((await used(sn, from, last)).days[date(from)]).toBe(each)
        expect((await used(sn, from - 3 * day, from + day)).days[date(from)]).toBe(each)
      }
      expect((await used(sn, days[0] as number, last)).usedMb).toBe(450)
    }
    await check()
    await pack()
    await check()
  })

  it('go on from what was kept of them by an earlier version, which knew only the lowest and highest of an hour', async () => {
    const two = midnight - 2 * day
    const one = midnight - day
    const high = 1_000_000_040
    const { id: deviceId, sn } = await counting(Date.now(), [
      [two + hour, high - 30 * mega],
      [two + 2 * hour, high],
      [one + hour, high],
      [one + 3 * hour, 5 * mega],
    ])
    await pack()
    for (const step of ['hour', 'day'] as const) {
      const rows = await findRollups(world.db, step, [deviceId], two - 31 * day, midnight)
      for (const { slots } of rows)
        for (const names of slots.values()) for (const summary of names.values()) delete summary.run
      await writeRollups(world.db, step, rows)
    }
    await tell(deviceId, Date.now(), [
      [midnight, 7 * mega],
      [midnight + 1, 8 * mega],
    ])
    const check = async () => {
      const long = (await used(sn, two - day, midnight)).days
      for (const at of [two, one, midnight]) expect((await used(sn, at, at)).days[date(at)]).toBe(long[date(at)])
      const near = (figure: number | undefined) => Math.round((figure ?? 0) / mega)
      expect([two, one, midnight].map((at) => near(long[date(at)]))).toEqual([30, 5, 3])
    }
    await check()
    await pack()
    await check()
  })
})

it('keeps a lock that was commanded until the device itself says something newer', async () => {
  const seen = Date.now()
  const write = (locked: { v: boolean; t: number } | undefined, battery: number) =>
    writeStates(world.db, [{ id, seen, values: { ...(locked && { locked }), battery: { v: battery, t: battery } } }])
  const isLocked = async () =>
    (await sql<{ locked: boolean }>`select locked from device_state where device_id = ${id}`.execute(world.db)).rows[0]
      ?.locked
  await write({ v: false, t: 1 }, 1)
  await sql`update device_state set locked = true where device_id = ${id}`.execute(world.db)
  await write({ v: false, t: 1 }, 2)
  expect(await isLocked()).toBe(true)
  await write({ v: false, t: 3 }, 3)
  expect(await isLocked()).toBe(false)
})

it('leaves a line with the enterprise whose rows somebody above reads or changes, by number or by name', async () => {
  const harbour = await world.as('harbour.admin')
  const since = (await sql<{ id: number }>`select max(id) as id from op_log_now()`.execute(world.db)).rows[0]?.id ?? 0
  await world.app.inject({ url: `${exportTraffic.path}?sn=HP-1`, headers: { sessionid: harbour.token } })
  expect(await harbour.get(organisationDetail.path, { id: world.b.shop })).toMatchObject({ code: 100000 })
  const limit = { sn: 'HP-1', limitMb: 500, alarmPercent: 90 }
  expect(await harbour.put(setTrafficLimit.path, limit)).toMatchObject({ code: 100000 })
  expect(await alder.put(setTrafficLimit.path, limit)).toMatchObject({ code: 100000 })
  const { rows } = await sql`select department_id as at, outside, username from op_log_now() where id > ${since}
    order by id`.execute(world.db)
  expect(rows).toEqual([
    { at: world.a.id, outside: true, username: 'harbour.admin' },
    { at: world.b.id, outside: true, username: 'harbour.admin' },
    { at: world.a.id, outside: true, username: 'harbour.admin' },
    { at: expect.any(Number), outside: false, username: 'alder.operator' },
  ])
})

describe('traffic by app', () => {
  let made = 0
  const hour = 3_600_000
  const newDevice = async (departmentId: number) => {
    const device = await addDevice(world.db, { sn: `APPS-${++made}`, departmentId })
    await sql`update device set create_time = now() - interval '10 days' where id = ${device.id}`.execute(world.db)
    return { ...device, departmentId }
  }
  type Device = Awaited<ReturnType<typeof newDevice>>
  const appsOf = async (person: Person, query: Record<string, string | number>) =>
    (await person.get(trafficByApp.path, query)).data.rows as AppTraffic[]
  const totalOf = (rows: readonly AppTraffic[]) =>
    rows.reduce((sum, row) => sum + protocol.appCounters.reduce((all, name) => all + row[name], 0), 0)
  const tell = (device: Device, time: number, apps: Record<string, protocol.AppCounts>, serverTime = false) =>
    world.db.transaction().execute((tx) =>
      countAppTraffic(tx as typeof world.db, [
        {
          deviceId: device.id,
          departmentId: device.departmentId,
          time: new Date(time).toISOString(),
          serverTime,
          data: { apps },
        },
      ]),
    )
  /** Of the ten days of the device, wherever in a month they lie. */
  const lately = () => ({
    startDate: new Date(Date.now() - 20 * 24 * hour).toISOString().slice(0, 10),
    endDate: new Date(Date.now() + 24 * hour).toISOString().slice(0, 10),
  })

  it('is told by a device, once however often it says so, with the names of the apps, and buries nothing else', async () => {
    const device = await newDevice(world.a.shop)
    const line = await connectDevice({ port: world.app.doors.device.port, sn: device.sn, password: device.password })
    const say = (kind: 'hello' | 'event', body: object) => line.publish(protocol.upTopic(device.sn, kind), body)
    const now = Date.now()
    const since = now - 5 * hour
    const report = (id: string, ts: number, wifiDown: number, began = since) => ({
      id,
      ts,
      type: 'appTraffic',
      data: { apps: { 'org.campanile.till': { since: began, wifiUp: 7, wifiDown }, 'org.unnamed': { since, up: 1 } } },
    })
    await say('hello', { apps: [{ package: 'org.campanile.till', name: 'Till' }] })
    await say('event', report('a', now - 3_000, 100))
    await say('event', report('a', now - 3_000, 100))
    await say('event', report('c', now - 1_000, 300))
    await say('event', report('b', now - 2_000, 200))
    await say('event', report('d', now, 50, now - 500))
    await say('event', { id: 'e', type: 'appTraffic', data: { apps: { x: { since: 'today' } } } })
    const rows = await eventually(
      () => appsOf(alder, { sn: device.sn, ...lately() }),
      (all) => totalOf(all) === 365,
    )
    expect(rows).toMatchObject([
      { package: 'org.campanile.till', name: 'Till', devices: 1, wifiUp: 14, wifiDown: 350, mobileDown: 0 },
      { package: 'org.unnamed', name: null, up: 1, wifiDown: 0 },
    ])
    const { data } = await alder.get(deviceTimeline.path, { sn: device.sn })
    const events = (data.rows as { kind: string; data: { untaken?: object } }[]).filter(({ kind }) => kind === 'event')
    expect(events).toMatchObject([{ data: { untaken: { reason: 'wrongData', field: 'data.apps.x.since' } } }])
    line.goodbye()
  })

  it('is added up within any days, and by nobody who does not reach the department it was used in', async () => {
    const device = await newDevice(world.a.shop)
    const birch = await world.as('birch.admin')
    const now = Date.now()
    const since = now - 9 * 24 * hour
    const day = (ago: number) => new Date(now - ago * 24 * hour).toISOString().slice(0, 10)
    await tell(device, now - 8 * 24 * hour, { days: { since, mobileUp: 1_000 } })
    await tell(device, now - 4 * 24 * hour, { days: { since, mobileUp: 1_500 } })
    const of = (startDate: string, endDate: string) => appsOf(alder, { sn: device.sn, startDate, endDate })
    expect(await of(day(8), day(8))).toMatchObject([{ mobileUp: 1_000 }])
    expect(await of(day(5), day(0))).toMatchObject([{ mobileUp: 500 }])
    expect(await of(day(3), day(0))).toEqual([])
    const fleet = async (person: Person, more = {}) =>
      (await appsOf(person, { ...lately(), ...more })).find((row) => row.package === 'days')
    expect(await fleet(alder)).toMatchObject({ mobileUp: 1_500, devices: 1 })
    expect(await fleet(alder, { departmentId: world.a.shop })).toBeDefined()
    expect(await fleet(alder, { departmentId: world.a.office })).toBeUndefined()
    expect(await fleet(birch)).toBeUndefined()
    expect((await birch.get(trafficByApp.path, { sn: device.sn })).code).toBe(30103)
    const { sn } = device
    const response = await world.app.inject({
      url: `${exportTrafficByApp.path}?${new URLSearchParams({ sn, ...lately() })}`,
      headers: { sessionid: alder.token },
    })
    const [head, ...rows] = await parseWorkbook(response.rawPayload)
    expect(head?.cells.slice(0, 3)).toEqual(['App', 'Package', 'Mobile up (B)'])
    expect(rows.map(({ cells }) => cells)).toMatchObject([[null, 'days', '1500', '0', '0', '0', '0', '0', '1500']])
  })

  it('stays where it was used when a device moves, and begins at nothing in another enterprise', async () => {
    const above = await world.as('harbour.admin')
    const birch = await world.as('birch.admin')
    const device = await newDevice(world.a.shop)
    const now = Date.now()
    const since = now - 5 * hour
    const move = (departmentId: number) =>
      above.post('/api/v3/device/basic/transferBatch', { sns: [device.sn], departmentId })
    await tell(device, now - 2_000, { moved: { since, down: 100 } })
    expect((await move(world.a.office)).code).toBe(100000)
    await tell({ ...device, departmentId: world.a.office }, now - 1_000, { moved: { since, down: 130 } })
    const used = async (person: Person, query: Record<string, string | number>) =>
      totalOf((await appsOf(person, { ...lately(), ...query })).filter((row) => row.package === 'moved'))
    expect(await used(alder, { departmentId: world.a.shop })).toBe(100)
    expect(await used(alder, { departmentId: world.a.office })).toBe(30)
    expect(await used(alder, { sn: device.sn })).toBe(130)
    const role = { departmentId: world.a.office, permissions: [trafficByApp.perm] }
    const roleIds = [await addRole(world.db, role)]
    await addUser(world.db, { username: 'narrow', departmentId: world.a.office, roleIds })
    const narrow = await world.as('narrow')
    expect(await used(narrow, {})).toBe(30)
    expect(await used(narrow, { sn: device.sn })).toBe(130)
    expect((await move(world.b.shop)).code).toBe(100000)
    const { rows } = await sql<{ id: number }>`select id from device where sn = ${device.sn}`.execute(world.db)
    const there = { ...device, id: rows[0]?.id as number, departmentId: world.b.shop }
    await tell(there, now + 1_000, { moved: { since, down: 200 } })
    expect(await used(birch, { sn: device.sn })).toBe(0)
    await tell(there, now + 2_000, { moved: { since, down: 210 } })
    expect(await used(birch, { sn: device.sn })).toBe(10)
    expect(await used(birch, {})).toBe(10)
    expect(await used(alder, {})).toBe(130)
  })

  it('counts no more apps of a device than a device has, and forgets countings that others have followed', async () => {
    const device = await newDevice(world.a.shop)
    const since = Date.now() - hour
    const apps = (first: number) =>
      Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`many.${first + at}`, { since, up: 1 }]))
    for (let first = 0; first < protocol.appsCounted + 200; first += 200) await tell(device, Date.now(), apps(first))
    const { data } = await alder.get(trafficByApp.path, { sn: device.sn, ...lately() })
    expect(data).toMatchObject({ total: protocol.appsCounted })
    expect(data.rows).toHaveLength(500)
    const other = await newDevice(world.a.shop)
    for (const began of [since, since + 1]) await tell(other, Date.now(), { app: { since: began, up: 1 } })
    await sql`update app_counter set update_time = now() - interval '63 days' where device_id = ${other.id}`.execute(
      world.db,
    )
    await forgetCounters(world.db)
    const left = await sql<{ since: string }>`select since from app_counter where device_id = ${other.id}`.execute(
      world.db,
    )
    expect(left.rows.map((row) => Date.parse(row.since))).toEqual([since + 1])
  })

  it('adds up to how its counters stood, whatever was repeated, late, together or begun anew', async () => {
    const runs = fc.array(fc.array(fc.nat(10_000), { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 3 })
    const told = runs.chain((lives) => {
      let at = 0
      const readings = lives.flatMap((steps, life) =>
        steps.map((_, step) => ({
          at: ++at,
          since: life,
          up: steps.slice(0, step + 1).reduce((all, each) => all + each, 0),
        })),
      )
      const all = lives.flat().reduce((sum, each) => sum + each, 0)
      const order = fc.shuffledSubarray([...readings, ...readings], { minLength: readings.length * 2 })
      return fc.record({ order, all: fc.constant(all), together: fc.integer({ min: 1, max: 6 }) })
    })
    await fc.assert(
      fc.asyncProperty(told, async ({ order, all, together }) => {
        const device = await newDevice(world.a.shop)
        const start = Date.now() - hour
        for (let first = 0; first < order.length; first += together)
          await world.db.transaction().execute((tx) =>
            countAppTraffic(
              tx as typeof world.db,
              order.slice(first, first + together).map(({ at, since, up }) => ({
                deviceId: device.id,
                departmentId: world.a.shop,
                time: new Date(start + at).toISOString(),
                serverTime: false,
                data: { apps: { app: { since: start - 1_000 + since, up } } },
              })),
            ),
          )
        expect(totalOf(await appsOf(alder, { sn: device.sn, ...lately() }))).toBe(all)
      }),
      { numRuns: 20 },
    )
  })
})
