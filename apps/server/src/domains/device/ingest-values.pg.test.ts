import { organisationType, protocol } from '@campanile/contract'
import { sql } from 'kysely'
import { Registry } from 'prom-client'
import { afterAll, describe, expect, it } from 'vitest'
import { addDepartment } from '../../test/app.ts'
import { addDevice } from '../../test/devices.ts'
import { at, counted, said, startIngest } from './ingest.fixture.ts'

const { database, departmentId, ingest, newIngest, newDevice, outcome, meters, refusals, stop } = await startIngest()
afterAll(stop)

const leftOut = (register = meters) => counted('campanile_device_values_left_out_total', register)

describe('a device’s clock', () => {
  const clockOf = async (id: number) => {
    const { rows } = await sql<{ ahead: number | null }>`select clock_offset_ms as ahead from device_state
      where device_id = ${id}`.execute(database.db)
    return rows[0]?.ahead
  }

  it('is measured by its hello, and by a message that is refused for being ahead', async () => {
    const device = await newDevice()
    await ingest.store([said(device, 'hello', { firmware: '1' })], 0)
    expect(await clockOf(device.id)).toBeNull()
    await ingest.store([said(device, 'hello', { ts: at - 192_000 })], 0)
    expect(await clockOf(device.id)).toBe(-192_000)
    await ingest.store([said(device, 'hello', { firmware: '2' })], 0)
    expect(await clockOf(device.id)).toBe(-192_000)
    expect(await ingest.store([said(device, 'state', { ts: at + 3_600_000, battery: 1 })], 0)).toEqual([0])
    expect(await clockOf(device.id)).toBe(3_600_000)
    // What was kept while there was no line says nothing of the clock; what is told as it happens does.
    await ingest.store([said(device, 'state', { ts: at - 600_000, battery: 2 })], 0)
    expect(await clockOf(device.id)).toBe(3_600_000)
    await ingest.store([said(device, 'state', { ts: at - 2_000, battery: 3 })], 0)
    expect(await clockOf(device.id)).toBe(-2_000)
  })

  it('that it does not have is ours, and what it told is marked', async () => {
    const device = await newDevice()
    await ingest.store(
      [
        said(device, 'state', { battery: 50 }),
        said(device, 'state', { battery: 40 }),
        said(device, 'event', { id: 'e', type: 'door' }),
      ],
      0,
    )
    const { row, history } = await outcome(device.id)
    expect(row).toMatchObject({ values: { battery: { v: 40, t: at, r: true } } })
    expect(history).toEqual([{ ts: at, values: [[0, 50]] }])
    const { rows } = await sql`select (extract(epoch from time) * 1000)::float8 as time, server_time
      from device_event where device_id = ${device.id}`.execute(database.db)
    expect(rows).toEqual([{ time: at, server_time: true }])
  })

  it('that is too old for the history is refused by that name', async () => {
    const device = await newDevice()
    const ts = at - protocol.pointDays * 86_400_000 - 1
    expect(await ingest.store([said(device, 'state', { ts, battery: 50 })], 0)).toEqual([0])
    expect(refusals.at(-1)?.reason).toBe('tooOld')
    expect((await outcome(device.id)).history).toEqual([])
  })
})

it('fills in of a device’s hello what its fields take, and nothing for a word that says nothing', async () => {
  const told = async (hello: object) => {
    const found = await newDevice()
    await ingest.store([said(found, 'hello', hello)], 0)
    const { rows } = await sql`select d.model, d.imei, d.imsi, s.firmware_version, s.system_version from device d
      join device_state s on s.device_id = d.id where d.id = ${found.id}`.execute(database.db)
    return rows[0]
  }
  const long = 'v'.repeat(128)
  expect(
    await told({
      model: `${'m'.repeat(63)} ${long}`.slice(0, 128),
      firmware: long,
      system: long,
      imei: '12-34/56 999',
      imsi: long,
    }),
  ).toEqual({
    model: 'm'.repeat(63),
    imei: '123456999',
    imsi: 'v'.repeat(32),
    firmware_version: long,
    system_version: long,
  })
  const nothing = { model: null, imei: null, imsi: null, firmware_version: null, system_version: null }
  expect(await told({ model: ' ', firmware: '', system: ' ', imei: '--', imsi: '' })).toEqual(nothing)
})

describe('a device’s own values', () => {
  const ownOf = async (id: number) => {
    const { rows } = await sql<{ own: Record<string, { v: unknown }> }>`select own from device_state
      where device_id = ${id}`.execute(database.db)
    return Object.fromEntries(Object.entries(rows[0]?.own ?? {}).map(([name, { v }]) => [name, v]))
  }
  const pointsOf = async (id: number) =>
    (
      await sql<{
        name: string
        value: number
      }>`select n.name, p.value from own_point p join own_name n on n.id = p.name_id
        where p.device_id = ${id} order by n.name, p.minute`.execute(database.db)
    ).rows

  it('are kept by their names: words, numbers, yes and no; everything else is left out and counted', async () => {
    const before = await leftOut()
    const device = await newDevice()
    const odd = { list: [1], none: null, object: {}, '1st': 1, 'a b': 1, _x: 1, huge: 1e16, long: 'x'.repeat(257) }
    const said1 = { ts: at, battery: 5, pressure: 2.5, hatch: 'open', filterOk: true, constructor: 7, ...odd }
    expect(await ingest.store([said(device, 'state', said1)], 0)).toEqual([])
    expect(await ownOf(device.id)).toEqual({ pressure: 2.5, hatch: 'open', filterOk: true, constructor: 7 })
    expect((await leftOut()) - before).toBe(Object.keys(odd).length)
    expect((await outcome(device.id)).row).toMatchObject({ battery: 5 })
  })

  it('end the same in any order and however often they come', async () => {
    const [orderly, unruly] = [await newDevice(), await newDevice()]
    const reports = [
      { ts: at - 120_000, pressure: 1 },
      { ts: at - 60_000, pressure: 9, hatch: 'shut' },
      { ts: at - 60_000, pressure: 30 },
      { ts: at, hatch: 'open', pressure: 'unknown' },
    ]
    for (const each of reports) await ingest.store([said(orderly, 'state', each)], 0)
    await newIngest().store(
      [...reports, ...reports].reverse().map((each) => said(unruly, 'state', each)),
      0,
    )
    expect(await ownOf(orderly.id)).toEqual({ pressure: 'unknown', hatch: 'open' })
    expect(await ownOf(unruly.id)).toEqual(await ownOf(orderly.id))
    expect(await pointsOf(orderly.id)).toEqual([
      { name: 'pressure', value: 1 },
      { name: 'pressure', value: 30 },
    ])
    expect(await pointsOf(unruly.id)).toEqual(await pointsOf(orderly.id))
  })

  it('are bounded in number, by device and by enterprise, and the message is kept all the same', async () => {
    const { enterprise: type, subDepartment } = organisationType
    const enterprise = await addDepartment(database.db, { name: 'Enterprise', parentId: departmentId, type })
    const below = await addDepartment(database.db, { name: 'Shop', parentId: enterprise, type: subDepartment })
    const many = (from: number, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`v${from + n}`, n]))
    const add = (n: number) => addDevice(database.db, { sn: `OWN-${n}`, departmentId: n % 2 ? below : enterprise })
    const register = new Registry()
    const fresh = newIngest({ register })
    const first = await add(0)
    await fresh.store([said(first, 'state', { ts: at, battery: 1, ...many(0, 60) })], 0)
    expect(Object.keys(await ownOf(first.id))).toHaveLength(protocol.ownPerDevice)
    await fresh.store([said(first, 'state', { ts: at, more: 1, v0: 5 })], 0)
    expect(await ownOf(first.id)).toMatchObject({ v0: 5 })
    expect(await ownOf(first.id)).not.toHaveProperty('more')
    for (let n = 1; n < 12; n += 1) {
      const device = await add(n)
      expect(await fresh.store([said(device, 'state', { ts: at, battery: n, ...many(n * 50, 50) })], 0)).toEqual([])
      expect((await outcome(device.id)).row).toMatchObject({ battery: n })
    }
    const { rows } = await sql<{
      n: number
    }>`select count(*) as n from own_name where department_id = ${enterprise}`.execute(database.db)
    expect(rows[0]?.n).toBe(protocol.ownPerOrganisation)
    expect(await leftOut(register)).toBeGreaterThanOrEqual(10 + 1 + 100)
    // Another enterprise has names of its own.
    const elsewhere = await newDevice()
    await fresh.store([said(elsewhere, 'state', { ts: at, brandNew: true })], 0)
    expect(await ownOf(elsewhere.id)).toEqual({ brandNew: true })
  })
})
