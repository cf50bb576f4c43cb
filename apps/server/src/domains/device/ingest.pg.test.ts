import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { organisationType, protocol } from '@campanile/contract'
import fc from 'fast-check'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pino from 'pino'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Happening, Refusal, UpKind } from '../../gateway/wire.ts'
import { createDb, type Tables } from '../../platform/db.ts'
import { addDepartment } from '../../test/app.ts'
import { addDevice, eventually } from '../../test/mqtt.ts'
import { type TestDatabase, testDatabase } from '../../test/pg.ts'
import { createCrashNotes } from './crash-notes.ts'
import { createDeviceMeters } from './device.meters.ts'
import { createEventAllowance } from './event-allowance.ts'
import { trimEvents } from './ingest.store.ts'
import { createIngest } from './ingest.ts'
import type { DeviceReply } from './plan.ts'
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
let ownerDb: ReturnType<typeof createDb>
let folder: string

beforeAll(async () => {
  database = await testDatabase()
  ownerDb = createDb(database.owner)
  folder = await mkdtemp(join(tmpdir(), 'campanile-ingest-'))
  departmentId = await addDepartment(database.db, { name: 'Root' })
  // Stands for the room that hears replies: each is a row, written in the transaction it was given.
  await asOwner(`create table told (device_id bigint, id text, primary key (device_id, id));
    grant all on told to campanile_app`)
  ingest = newIngest({ register: meters })
})
afterAll(async () => {
  await ownerDb.close()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

const asOwner = (text: string) => ownerDb.pool.query(text)
const newIngest = ({
  db = database.db,
  log = pino({ level: 'fatal' }),
  heldMax = 50_000,
  register = new Registry(),
} = {}) =>
  createIngest({
    db,
    log,
    heldMax,
    presence: createPresence(),
    meters: createDeviceMeters(register, () => 0),
    notes: createCrashNotes(folder, log),
    answered: async (tx, some) => {
      replies.push(...some)
      for (const { deviceId, reply } of some) {
        await sql`insert into told (device_id, id) values (${deviceId}, ${reply.id}) on conflict do nothing`.execute(tx)
        if (reply.error) await sql`select ${reply.error}::int`.execute(tx)
      }
    },
    refused: (some) => refusals.push(...some),
  })

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
  const told = await sql<{ id: string }>`select id from told where device_id = ${id} order by id`.execute(database.db)
  const points = raw.flatMap((each) => each.points)
  // Of one instant several rows may tell different names, but no two the same.
  expect(new Set(points.map((point) => JSON.stringify(point))).size).toBe(points.length)
  return { row: rows[0], history: together(points), told: told.rows.map((each) => each.id) }
}
const presenceOf = async (id: number) =>
  (await sql`select online, reason from presence_log where device_id = ${id} order by time`.execute(database.db)).rows
const leftOut = (register = meters) => counted('campanile_device_values_left_out_total', register)
const counted = async (name: string, register = meters) =>
  (await register.getSingleMetric(name)?.get())?.values.reduce((sum, { value }) => sum + value, 0) ?? 0

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
const replied = fc.integer({ min: 0, max: 9 }).map((n) => ({ id: `reply-${n}`, state: 'done' as const }))
const word = fc.oneof(
  report.map((body) => ({ kind: 'state' as const, body, order: body.ts })),
  event.map((body) => ({ kind: 'event' as const, body, order: body.ts })),
  replied.map((body) => ({ kind: 'reply' as const, body, order: 0 })),
)

/** A line to the database that breaks when it is told to: before what was written is committed, or after, unheard. */
const shakyLine = () => {
  const cuts: ('before' | 'after')[] = []
  const pool = {
    connect: async () => {
      const client = await database.pool.connect()
      return {
        query: async (text: string, values: unknown[]) => {
          const cut = text === 'commit' ? cuts.shift() : undefined
          const result = await client.query(cut === 'before' ? 'rollback' : text, values)
          if (cut) throw new Error('Connection terminated unexpectedly')
          return result
        },
        release: () => client.release(),
      }
    },
    end: async () => undefined,
  }
  return { db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool: pool as never }) }), cuts }
}

describe('what devices say', () => {
  it('ends the same in whatever order, however often, in whichever batches and through whatever cuts it comes', async () => {
    const line = shakyLine()
    const shaky = newIngest({ db: line.db })
    const arrivals = fc.array(word, { minLength: 1, maxLength: 25 }).chain((sent) =>
      fc.record({
        sent: fc.constant(sent),
        arrived: fc
          .array(fc.constantFrom(...sent), { maxLength: sent.length })
          .chain((again) => fc.shuffledSubarray([...sent, ...again], { minLength: sent.length + again.length })),
        batch: fc.integer({ min: 1, max: 10 }),
        cuts: fc.array(fc.constantFrom('before' as const, 'after' as const, undefined), { maxLength: 4 }),
      }),
    )
    await fc.assert(
      fc.asyncProperty(arrivals, async ({ sent, arrived, batch, cuts }) => {
        const [orderly, unruly] = [await newDevice(), await newDevice()]
        const inOrder = [...sent].sort((a, b) => a.order - b.order)
        await ingest.store(
          inOrder.map(({ kind, body }) => said(orderly, kind, body)),
          0,
        )
        for (let from = 0; from < arrived.length; from += batch) {
          const cut = cuts[from / batch]
          if (cut) line.cuts.push(cut)
          await shaky.store(
            arrived.slice(from, from + batch).map(({ kind, body }) => said(unruly, kind, body)),
            0,
          )
        }
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

describe('a batch that is stored again', () => {
  const crowd = async (more: (device: { id: number; sn: string }, n: number) => Happening[]) => {
    const devices = await Promise.all(Array.from({ length: 20 }, newDevice))
    const happenings = devices.flatMap((device, n) => [
      { what: 'online' as const, deviceId: device.id, sn: device.sn, address: '10.0.0.1', keepalive: 60, at },
      said(device, 'state', { ts: at, battery: n, cpu: n }),
      said(device, 'event', { id: 'e', ts: at, type: 'door' }),
      said(device, 'reply', { id: 'fine', state: 'done' }),
      ...more(device, n),
    ])
    return { devices, happenings }
  }
  const expectOnce = async (devices: readonly { id: number }[]) => {
    for (const [n, { id }] of devices.entries()) {
      expect(await outcome(id)).toMatchObject({ row: { battery: n, events: [['e', 'door', null]] }, told: ['fine'] })
      expect((await findRaw(database.db, 'telemetry_raw', [id])).length).toBe(1)
      expect(await presenceOf(id)).toEqual([{ online: true, reason: null }])
    }
  }

  it('because of one bad reply writes nothing twice and refuses that reply alone', async () => {
    const { devices, happenings } = await crowd((device, n) =>
      n === 7 ? [said(device, 'reply', { id: 'bad', state: 'failed', error: 'no number' })] : [],
    )
    const bad = happenings.findIndex((each) => each.what === 'message' && each.text?.includes('"bad"'))
    expect(await ingest.store(happenings, 0)).toEqual([bad])
    expect(refusals.at(-1)).toMatchObject({ sn: devices[7]?.sn, reason: 'unstorable' })
    await expectOnce(devices)
  })

  it.each([['before'], ['after']] as const)(
    'because the line broke %s the commit writes nothing twice',
    async (when) => {
      const line = shakyLine()
      const { devices, happenings } = await crowd(() => [])
      line.cuts.push(when, when)
      expect(await newIngest({ db: line.db }).store(happenings, 0)).toEqual([])
      expect(line.cuts).toEqual([])
      await expectOnce(devices)
    },
  )

  it('by the devices themselves, under load, does not change the history', async () => {
    const device = await newDevice()
    const reports = Array.from({ length: 5 }, (_, n) =>
      said(device, 'state', n % 2 ? { ts: at - 50 + n, cpu: n } : { ts: at - 50 + n, battery: n }),
    )
    await ingest.store(reports, 0)
    const before = await outcome(device.id)
    await ingest.store([...reports, ...reports], 10_000)
    await newIngest().store(reports.slice(2), 10_000)
    expect(await outcome(device.id)).toEqual(before)
  })
})

describe('latest values', () => {
  it('of more devices than are kept at hand stay whole, on two lanes at once', async () => {
    const small = newIngest({ heldMax: 3 })
    const devices = await Promise.all(Array.from({ length: 24 }, newDevice))
    const names = ['battery', 'cpu', 'memory', 'disk', 'voltage'] as const
    for (const [n, name] of names.entries())
      await Promise.all(
        [0, 1].map((lane) =>
          small.store(
            devices.filter((_, place) => place % 2 === lane).map((each) => said(each, 'state', { ts: at, [name]: n })),
            0,
          ),
        ),
      )
    const whole = Object.fromEntries(names.map((name, n) => [name, { v: n, t: at }]))
    for (const { id } of devices) expect((await outcome(id)).row).toMatchObject({ values: whole })
  })

  it('that another server wrote meanwhile are not overwritten', async () => {
    const device = await newDevice()
    const [here, there] = [newIngest(), newIngest()]
    await here.store([said(device, 'state', { ts: at, battery: 1 })], 0)
    await there.store([said(device, 'state', { ts: at, cpu: 2 })], 0)
    await here.store([said(device, 'state', { ts: at, disk: 3 })], 0)
    await Promise.all([
      here.store([said(device, 'state', { ts: at, memory: 4 })], 0),
      there.store([said(device, 'state', { ts: at, voltage: 5 })], 0),
    ])
    expect((await outcome(device.id)).row).toMatchObject({
      values: { battery: { v: 1 }, cpu: { v: 2 }, disk: { v: 3 }, memory: { v: 4 }, voltage: { v: 5 } },
    })
  })
})

describe('a database that does not take it', () => {
  const refuseEvents = (errcode: string, message = 'raised by the test') =>
    asOwner(`create or replace function no_events() returns trigger language plpgsql as $$
        begin raise exception using errcode = '${errcode}', message = '${message}'; end $$;
      create or replace trigger no_events before insert on device_event execute function no_events()`)
  const takeEvents = () => asOwner('drop trigger no_events on device_event')
  const listening = () => {
    const lines: { level: number; msg: string }[] = []
    const stream = new Writable({
      write: (chunk, _encoding, done) => {
        lines.push(JSON.parse(String(chunk)))
        done()
      },
    })
    return { log: pino(stream), lines }
  }

  it('because its disk is full is waited for, said once, and goes on by itself when there is space', async () => {
    const device = await newDevice()
    const { log, lines } = listening()
    const register = new Registry()
    const waitingIngest = newIngest({ log, register })
    await refuseEvents('53100', 'could not extend file: No space left on device')
    const stored = Promise.all(
      [0, 1].map((n) => waitingIngest.store([said(device, 'event', { id: `full-${n}`, ts: at, type: 'door' })], 0)),
    )
    await eventually(
      async () => waitingIngest.trouble,
      (trouble) => trouble === 'diskFull',
    )
    // Several attempts of both.
    await sleep(1_000)
    expect(lines.filter(({ msg }) => msg.includes('disk'))).toHaveLength(1)
    expect(lines).toHaveLength(1)
    expect(await counted('campanile_device_storage_waiting', register)).toBe(1)
    await takeEvents()
    expect(await stored).toEqual([[], []])
    expect(waitingIngest.trouble).toBeUndefined()
    expect(lines.at(-1)?.msg).toContain('stored again')
    expect((await outcome(device.id)).row).toMatchObject({ events: [expect.anything(), expect.anything()] })
  })

  it.each([['25006'], ['57P01'], ['42501']])(
    'for a reason that is not the message (%s) is waited for',
    async (code) => {
      const device = await newDevice()
      await refuseEvents(code)
      const stored = newIngest().store([said(device, 'event', { id: 'later', ts: at, type: 'door' })], 0)
      await sleep(300)
      await takeEvents()
      expect(await stored).toEqual([])
      expect((await outcome(device.id)).row).toMatchObject({ events: [['later', 'door', null]] })
    },
  )

  it('is not waited for because of words that a device put into the error', async () => {
    const device = await newDevice()
    await refuseEvents('22000', 'Connection terminated: timeout')
    expect(await ingest.store([said(device, 'event', { id: 'e', ts: at, type: 'door' })], 0)).toEqual([0])
    await takeEvents()
  })
})

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
    const said1 = { ts: at, battery: 5, pressure: 2.5, door: 'open', filterOk: true, constructor: 7, ...odd }
    expect(await ingest.store([said(device, 'state', said1)], 0)).toEqual([])
    expect(await ownOf(device.id)).toEqual({ pressure: 2.5, door: 'open', filterOk: true, constructor: 7 })
    expect((await leftOut()) - before).toBe(Object.keys(odd).length)
    expect((await outcome(device.id)).row).toMatchObject({ battery: 5 })
  })

  it('end the same in any order and however often they come', async () => {
    const [orderly, unruly] = [await newDevice(), await newDevice()]
    const reports = [
      { ts: at - 120_000, pressure: 1 },
      { ts: at - 60_000, pressure: 9, door: 'shut' },
      { ts: at - 60_000, pressure: 30 },
      { ts: at, door: 'open', pressure: 'unknown' },
    ]
    for (const each of reports) await ingest.store([said(orderly, 'state', each)], 0)
    await newIngest().store(
      [...reports, ...reports].reverse().map((each) => said(unruly, 'state', each)),
      0,
    )
    expect(await ownOf(orderly.id)).toEqual({ pressure: 'unknown', door: 'open' })
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
    expect(refusals).toEqual([{ sn: device.sn, address: '10.0.0.1', reason: 'dailyAllowance' }])
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
