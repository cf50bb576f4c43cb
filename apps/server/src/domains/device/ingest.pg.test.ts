import fc from 'fast-check'
import { sql } from 'kysely'
import pino from 'pino'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Happening, Refusal, UpKind } from '../../gateway/wire.ts'
import { addDepartment } from '../../test/app.ts'
import { addDevice } from '../../test/mqtt.ts'
import { type TestDatabase, testDatabase } from '../../test/pg.ts'
import { createDeviceMeters } from './device.meters.ts'
import { createIngest, type DeviceReply } from './ingest.ts'
import { createPresence } from './presence.ts'
import { together } from './telemetry/codec.ts'
import { findRaw } from './telemetry/telemetry.store.ts'

let database: TestDatabase
let departmentId: number
let made = 0
const meters = new Registry()
const replies: DeviceReply[] = []
const refusals: Refusal[] = []
let ingest: ReturnType<typeof createIngest>

beforeAll(async () => {
  database = await testDatabase()
  departmentId = await addDepartment(database.db, { name: 'Root' })
  ingest = createIngest({
    db: database.db,
    log: pino({ level: 'fatal' }),
    presence: createPresence(),
    meters: createDeviceMeters(meters, () => 0),
    answered: async (_tx, some) => {
      replies.push(...some)
    },
    refused: (some) => refusals.push(...some),
  })
})
afterAll(() => database.drop())

const newDevice = () => addDevice(database.db, { sn: `FLOW-${++made}`, departmentId })
const at = Date.now()
const said = (device: { id: number; sn: string }, kind: UpKind, body: object): Happening => ({
  what: 'message',
  deviceId: device.id,
  sn: device.sn,
  address: '10.0.0.1',
  kind,
  text: JSON.stringify(body),
  at,
})
/** What a device is known by afterwards, told without its number. */
const outcome = async (id: number) => {
  const { rows } = await sql`select s.values, s.battery, s.charging, s.locked, s.robot_state,
      (select json_agg(json_build_array(e.event_id, e.type, e.data) order by e.event_id) from device_event e
        where e.device_id = s.device_id) as events
    from device_state s where s.device_id = ${id}`.execute(database.db)
  const raw = await findRaw(database.db, 'telemetry_raw', [id])
  return { row: rows[0], history: together(raw.flatMap(({ points }) => points)) }
}
const counted = async (name: string) =>
  (await meters.getSingleMetric(name)?.get())?.values.reduce((sum, { value }) => sum + value, 0) ?? 0

const report = fc.record(
  {
    ts: fc.integer({ min: at - 20, max: at }),
    battery: fc.integer({ min: 0, max: 100 }),
    cpu: fc.integer({ min: 0, max: 100 }),
    charging: fc.constantFrom('charging', 'notCharging'),
    locked: fc.boolean(),
    robotState: fc.constantFrom('working', 'idle'),
  },
  { requiredKeys: ['ts'] },
)
const event = fc.integer({ min: 0, max: 9 }).map((n) => ({ id: `event-${n}`, ts: at - n, type: 'door', data: { n } }))
const word = fc.oneof(
  report.map((body) => ({ kind: 'state' as const, body })),
  event.map((body) => ({ kind: 'event' as const, body })),
)

describe('what devices say', () => {
  it('ends the same in whatever order, however often and in whichever batches it comes', async () => {
    const arrivals = fc.array(word, { minLength: 1, maxLength: 25 }).chain((sent) =>
      fc.record({
        sent: fc.constant(sent),
        arrived: fc
          .array(fc.constantFrom(...sent), { maxLength: sent.length })
          .chain((again) => fc.shuffledSubarray([...sent, ...again], { minLength: sent.length + again.length })),
        batch: fc.integer({ min: 1, max: 10 }),
      }),
    )
    await fc.assert(
      fc.asyncProperty(arrivals, async ({ sent, arrived, batch }) => {
        const [orderly, unruly] = [await newDevice(), await newDevice()]
        const inOrder = [...sent].sort((a, b) => a.body.ts - b.body.ts)
        await ingest.store(
          inOrder.map(({ kind, body }) => said(orderly, kind, body)),
          0,
        )
        for (let from = 0; from < arrived.length; from += batch)
          await ingest.store(
            arrived.slice(from, from + batch).map(({ kind, body }) => said(unruly, kind, body)),
            0,
          )
        expect(await outcome(unruly.id)).toEqual(await outcome(orderly.id))
      }),
      { numRuns: 40 },
    )
  })

  it('under load keeps every latest value and every event; only points of one moment become one, and are counted', async () => {
    const device = await newDevice()
    const before = await counted('campanile_device_points_coalesced_total')
    const reports = Array.from({ length: 50 }, (_, n) => said(device, 'state', { ts: at - 50 + n, battery: n, cpu: n }))
    await ingest.store([...reports, said(device, 'event', { id: 'kept', ts: at, type: 'door' })], 10_000)
    const { row, history } = await outcome(device.id)
    expect(row).toMatchObject({ battery: 49, events: [['kept', 'door', null]] })
    expect(history).toEqual([{ ts: at - 1, values: [expect.arrayContaining([49]), expect.arrayContaining([49])] }])
    expect((await counted('campanile_device_points_coalesced_total')) - before).toBe(49)
  })

  it('that cannot be kept is left out and counted, and spoils nothing of its batch', async () => {
    const device = await newDevice()
    const before = await counted('campanile_device_messages_dropped_total')
    const faulty = await ingest.store(
      [
        said(device, 'state', { ts: at, battery: 7 }),
        said(device, 'state', { ts: at, battery: 'full' }),
        said(device, 'state', { ts: at + 3_600_000, battery: 8 }),
        said(device, 'event', { id: 'x'.repeat(65), ts: at, type: 'door' }),
        said(device, 'reply', { id: 'c1', state: 'perhaps' }),
      ],
      0,
    )
    expect(faulty).toEqual([1, 2, 3, 4])
    expect(refusals.map(({ reason }) => reason)).toEqual(['malformed', 'clockAhead', 'malformed', 'malformed'])
    expect((await outcome(device.id)).row).toMatchObject({ battery: 7, events: null })
    expect((await counted('campanile_device_messages_dropped_total')) - before).toBe(4)
  })

  it('of a device that was deleted meanwhile does not keep the others from being stored', async () => {
    const [gone, there] = [await newDevice(), await newDevice()]
    await sql`delete from device where id = ${gone.id}`.execute(database.db)
    const both = [gone, there].flatMap((device) => [
      said(device, 'hello', { firmware: '1', apps: [{ package: 'p' }] }),
      said(device, 'state', { ts: at, battery: 5 }),
      said(device, 'event', { id: 'e', ts: at, type: 'door' }),
    ])
    expect(await ingest.store(both, 0)).toEqual([])
    expect((await outcome(gone.id)).row).toBeUndefined()
    expect((await outcome(there.id)).row).toMatchObject({ battery: 5, events: [['e', 'door', null]] })
  })
})
