import { deviceHistory } from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addDepartment, addRole, addUser, startTestApp, type TestApp } from '../../../test/app.ts'
import { addDevice } from '../../../test/devices.ts'
import { appendPoints } from '../ingest.store.ts'
import { type Point, pointOf } from './codec.ts'
import { findHistory } from './history.ts'
import { keepTelemetry } from './packing.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const hour = Math.floor(Date.now() / hourMs) * hourMs
let server: TestApp
let departmentId: number
let made = 0

beforeAll(async () => {
  server = await startTestApp({ roles: ['api'] })
  departmentId = await addDepartment(server.db, { name: 'Root' })
})
afterAll(() => server.stop())

const newDevice = () => addDevice(server.db, { sn: `PAST-${++made}`, departmentId })
const point = (ts: number, battery: number) => pointOf({ ts, battery }) as Point
/** As if it had come in at that time. */
const arrive = (id: number, received: number, points: readonly Point[]) =>
  appendPoints(
    server.db,
    new Date(received),
    points.map((each) => ({ id, point: each })),
  )
const battery = async (id: number, from: number, to: number) => {
  const { step, series } = await findHistory(server.db, id, ['battery'], { from, to })
  return { step, points: series.battery ?? [] }
}
const rawCount = async (id: number) => {
  const { rows } = await sql<{ n: number }>`select count(*) as n from telemetry_raw where device_id = ${id}`.execute(
    server.db,
  )
  return rows[0]?.n
}

describe('what a device told', () => {
  it('is the same before and after it is packed, late and repeated points included', async () => {
    const { id } = await newDevice()
    const past = hour - 3 * hourMs
    await keepTelemetry(server.db, new Date(past))
    await arrive(id, past + 1_000, [point(past, 50), point(past + 60_000, 40)])
    await arrive(id, past + 2_000, [point(past + 60_000, 40), point(past - hourMs, 90)])
    const before = await battery(id, past - 2 * hourMs, past + hourMs)
    expect(before.points.map(({ avg }) => avg)).toEqual([90, 50, 40])
    await keepTelemetry(server.db, new Date(hour))
    expect(await rawCount(id)).toBe(0)
    expect(await battery(id, past - 2 * hourMs, past + hourMs)).toEqual(before)
    // One more for an hour that is packed already.
    await keepTelemetry(server.db, new Date(hour))
    await arrive(id, hour + 1, [point(past + 30_000, 45)])
    await keepTelemetry(server.db, new Date(hour + 2 * hourMs))
    expect((await battery(id, past, past + hourMs)).points.map(({ avg }) => avg)).toEqual([50, 45, 40])
  })

  it('is drawn by hours over weeks and by days over a year, with lowest, mean and highest', async () => {
    const { id } = await newDevice()
    const midnight = Math.floor(Date.now() / dayMs) * dayMs
    const days = [0, 1, 2].map((back) => midnight - back * dayMs - 10 * dayMs)
    await arrive(
      id,
      hour,
      days.flatMap((day, at) => [
        point(day + hourMs, 10 + at),
        point(day + hourMs + 5, 20 + at),
        point(day + 2 * hourMs, 90 + at),
      ]),
    )
    const check = async () => {
      const hours = await battery(id, midnight - 30 * dayMs, midnight)
      expect(hours.step).toBe(hourMs)
      expect(hours.points).toHaveLength(6)
      expect(hours.points.at(-2)).toEqual({ t: (days[0] as number) + hourMs, min: 10, avg: 15, max: 20 })
      const year = await battery(id, midnight - 365 * dayMs, midnight)
      expect(year.step).toBe(dayMs)
      expect(year.points).toEqual([...days].reverse().map((t, at) => ({ t, min: 12 - at, avg: 42 - at, max: 92 - at })))
    }
    await check()
    await keepTelemetry(server.db, new Date(hour + 2 * hourMs))
    expect(await rawCount(id)).toBe(0)
    await check()
  })

  it('is told to those who may see the device', async () => {
    const other = await addDepartment(server.db, { name: 'Other', parentId: departmentId })
    const mine = await addDepartment(server.db, { name: 'Mine', parentId: departmentId })
    const role = await addRole(server.db, { departmentId: mine, permissions: ['device:list:detail'] })
    await addUser(server.db, { username: 'reader', departmentId: mine, roleIds: [role] })
    const { token } = await server.signIn('reader')
    const seen = await addDevice(server.db, { sn: 'SEEN', departmentId: mine })
    await addDevice(server.db, { sn: 'HIDDEN', departmentId: other })
    await arrive(seen.id, Date.now(), [point(Date.now() - 1_000, 33)])
    const ask = (sn: string, startTime = new Date(hour - hourMs).toISOString()) =>
      server.call(
        deviceHistory,
        { sn, names: ['battery'], startTime, endTime: new Date(hour + hourMs).toISOString() },
        { token },
      )
    expect(await ask('SEEN')).toMatchObject({ code: 100000, data: { series: { battery: [{ avg: 33 }] } } })
    expect(await ask('HIDDEN')).toMatchObject({ code: 30103 })
    expect(await ask('SEEN', new Date(hour - 500 * dayMs).toISOString())).toMatchObject({ code: 100024 })
    expect(await ask('SEEN', new Date(hour + hourMs).toISOString())).toMatchObject({
      code: 100023,
      data: { field: 'endTime' },
    })
  })
})
