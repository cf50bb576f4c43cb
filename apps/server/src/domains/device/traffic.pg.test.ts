import { deviceTimeline, deviceTraffic, exportTraffic, organisationDetail, setTrafficLimit } from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parseWorkbook } from '../../platform/sheet/parse.ts'
import { newsTold } from '../../test/app.ts'
import { addDevice } from '../../test/devices.ts'
import { type Person, startWorld, type World } from '../../test/world.ts'
import { appendPoints, writeStates } from './ingest.store.ts'
import { type Point, pointOf } from './telemetry/codec.ts'
import { warnOfTraffic } from './traffic-alarm.ts'

let world: World
let alder: Person
let id: number
const mega = 1_000_000

beforeAll(async () => {
  world = await startWorld()
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
  expect(await of({ startDate: today, endDate: '2026-01-01' })).toMatchObject({ code: 100024 })
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
