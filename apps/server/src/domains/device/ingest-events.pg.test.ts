import { organisationType, protocol } from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import type { Happening } from '../../gateway/wire.ts'
import { addDepartment } from '../../test/app.ts'
import { addDevice } from '../../test/devices.ts'
import { createEventAllowance } from './event-allowance.ts'
import { said, startIngest } from './ingest.fixture.ts'
import { trimEvents } from './ingest.store.ts'

const { database, ingest, newIngest, newDevice, outcome, refusals, stop } = await startIngest()
afterAll(stop)

describe('events without end', () => {
  const kib = 1024
  const event = (device: { id: number; sn: string }, id: string, dataBytes: number) =>
    said(device, 'event', { id, type: 'noise', data: { x: 'x'.repeat(dataBytes - '{"x":""}'.length) } })
  const kept = async (id: number) =>
    (await sql<{ n: number }>`select count(*)::int as n from device_event where device_id = ${id}`.execute(database.db))
      .rows[0]?.n
  /** So full that little is left of a day. */
  const tellAlmost = async (here: ReturnType<typeof newIngest>, device: { id: number; sn: string }, bytes: number) => {
    const one = event(device, 'same', 15 * kib) as { text: string }
    const count = Math.floor(bytes / one.text.length)
    for (let n = 0; n < count; n += 500)
      await here.store(
        Array.from({ length: Math.min(500, count - n) }, () => one as unknown as Happening),
        0,
      )
  }

  it('hold as much data as a person may want to read, and no more', async () => {
    const device = await newDevice()
    expect(await ingest.store([event(device, 'a', 16 * kib), event(device, 'b', 16 * kib + 1)], 0)).toEqual([1])
    expect(await kept(device.id)).toBe(1)
  })

  it('are refused for the rest of the day, with a reason, and nothing else of the device is', async () => {
    const device = await newDevice()
    const neighbour = await newDevice()
    const here = newIngest()
    refusals.length = 0
    await tellAlmost(here, device, protocol.eventBytesPerDay.device)
    const batch = [
      event(device, 'too much', 15 * kib),
      said(device, 'state', { battery: 12 }),
      event(neighbour, 'fine', 15 * kib),
    ]
    expect(await here.store(batch, 0)).toEqual([0])
    expect(refusals).toEqual([
      { sn: device.sn, address: '10.0.0.1', reason: 'dailyAllowance', message: { kind: 'event' } },
    ])
    expect((await outcome(device.id)).row).toMatchObject({ battery: 12 })
    expect(await kept(neighbour.id)).toBe(1)
  })

  it('are bounded for all devices of an enterprise together, until the next day', async () => {
    const { device: most, enterprise } = protocol.eventBytesPerDay
    const here = await addDepartment(database.db, { name: 'Noisy', type: organisationType.enterprise })
    const add = (sn: string, place: number) => addDevice(database.db, { sn, departmentId: place })
    const full = enterprise / most
    const devices = await Promise.all(Array.from({ length: full + 1 }, (_, n) => add(`NOISY-${n}`, here)))
    const elsewhere = await newDevice()
    let now = Date.now()
    const allowance = createEventAllowance(database.db, () => now)
    const know = () => allowance.know(new Set([...devices, elsewhere].map(({ id }) => id)))
    await know()
    expect(devices.map(({ id }) => allowance.take(id, most))).toEqual([...Array(full).fill(true), false])
    expect(allowance.take(elsewhere.id, 1)).toBe(true)
    now += 86_400_000
    await know()
    expect(allowance.take(devices[full]?.id ?? 0, 1)).toBe(true)
  })

  it('lose their oldest when they are too many, and one tells of it', async () => {
    const device = await newDevice()
    for (let n = 0; n < 5; n += 1)
      await sql`insert into device_event (device_id, event_id, time, type, level, data, received)
        select ${device.id}, ${`e${n}`}, now(), 'noise', 'info', jsonb_build_object('x', string_agg(md5(random()::text), '')),
          now() - ${5 - n} * interval '1 minute' from generate_series(1, 1000)`.execute(database.db)
    expect(await trimEvents(database.db, [device.id], 100 * kib)).toEqual([device.sn])
    const { rows } = await sql<{ id: string }>`select event_id as id from device_event where device_id = ${device.id}
      order by received`.execute(database.db)
    expect(rows.map(({ id }) => id)).toEqual(['e2', 'e3', 'e4', expect.stringMatching(/^eventsRemoved-/)])
    expect(await trimEvents(database.db, [device.id], 50 * kib)).toEqual([])
  })
})
