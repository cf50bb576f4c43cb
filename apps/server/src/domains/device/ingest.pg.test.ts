import fc from 'fast-check'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import type { Happening } from '../../gateway/wire.ts'
import type { Tables } from '../../platform/db.ts'
import { at, counted, said, startIngest } from './ingest.fixture.ts'
import { findRaw } from './telemetry/telemetry.store.ts'

const { database, ingest, newIngest, newDevice, outcome, taken, meters, refusals, stop } = await startIngest()
afterAll(stop)

const presenceOf = async (id: number) =>
  (await sql`select online, reason from presence_log where device_id = ${id} order by time`.execute(database.db)).rows

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

  it('reaches the rooms once each, in each device’s order, through repeats, cuts, faults of the rooms and several servers', async () => {
    const lines = [shakyLine(), shakyLine()]
    const servers = lines.map(({ db }) => newIngest({ db }))
    const told = fc.record({
      device: fc.nat({ max: 1 }),
      kind: fc.constantFrom('event', 'event', 'event', 'reply' as const),
      fate: fc.constantFrom(
        ...['fine', 'fine', 'fine', 'fine', 'wrongData', 'thrown', 'wrongSql', 'wrongValue', 'lineCut'],
      ),
    })
    const arrivals = fc.record({
      told: fc.array(told, { minLength: 1, maxLength: 20 }),
      repeats: fc.array(fc.nat(), { maxLength: 10 }),
      batch: fc.integer({ min: 1, max: 8 }),
      cuts: fc.array(fc.constantFrom('before' as const, 'after' as const, undefined), { maxLength: 3 }),
      both: fc.array(fc.boolean(), { maxLength: 3 }),
    })
    const bodyOf = (kind: string, fate: string, n: number) => {
      if (kind === 'reply') return { id: `r${n}`, state: 'done', ...(fate === 'wrongValue' && { error: 'no number' }) }
      const data = fate === 'wrongData' ? { n: 'many' } : { n, ...(fate !== 'fine' && { trouble: fate }) }
      return { id: `e${String(n).padStart(2, '0')}`, ts: at, type: 'swung', data }
    }
    await fc.assert(
      fc.asyncProperty(arrivals, async ({ told: sent, repeats, batch, cuts, both }) => {
        const devices = [await newDevice(), await newDevice()]
        const messages = sent.map(({ device, kind, fate }, n) => {
          const body = bodyOf(kind, fate, n)
          return {
            id: devices[device]?.id,
            kind,
            fate,
            body,
            said: said(devices[device] as never, kind as never, body),
          }
        })
        // A device tells in order, and again what it does not know to have arrived.
        const arrived = messages.map((each) => each.said)
        for (const each of repeats) {
          const again = messages[each % messages.length]?.said as Happening
          const first = arrived.indexOf(again)
          arrived.splice(first + 1 + (each % (arrived.length - first)), 0, again)
        }
        for (let from = 0; from < arrived.length; from += batch) {
          const turn = from / batch
          const cut = cuts[turn]
          if (cut) lines[turn % 2]?.cuts.push(cut)
          const asked = both[turn] ? servers : [servers[turn % 2] as (typeof servers)[number]]
          await Promise.all(asked.map((server) => server.store(arrived.slice(from, from + batch), 0)))
        }
        for (const { id } of devices) {
          const mine = messages.filter((each) => each.id === id)
          const events = mine.filter(({ kind }) => kind === 'event')
          const idsOf = (some: typeof mine) => some.map(({ body }) => body.id)
          const { row, told: heard } = await outcome(id)
          const kept = (row as { events: [string][] | null }).events ?? []
          expect(kept.map(([event]) => event)).toEqual(idsOf(events))
          const { has, not } = await taken(id)
          expect(has).toEqual(idsOf(events.filter(({ fate }) => fate === 'fine' || fate === 'lineCut')))
          const reasons = events.flatMap(({ fate, body }) => {
            if (fate === 'fine' || fate === 'lineCut') return []
            const wrong = { reason: 'wrongData', field: 'data.n', fault: 'wrongKind', expected: 'number' }
            return [[body.id, fate === 'wrongData' ? wrong : { reason: 'roomFailed' }]]
          })
          expect(not).toEqual(Object.fromEntries(reasons))
          const answers = mine.filter(({ kind, fate }) => kind === 'reply' && fate !== 'wrongValue')
          expect([...heard].sort()).toEqual(idsOf(answers).sort())
        }
      }),
      { numRuns: 25 },
    )
  })

  it('of a time when its device stood in another enterprise is kept and given to no room', async () => {
    const device = await newDevice()
    await sql`update device set owned_since = ${new Date(at)}::timestamptz where id = ${device.id}`.execute(database.db)
    const events = [at - 1, at].map((ts, n) => said(device, 'event', { id: `e${n}`, ts, type: 'swung', data: { n } }))
    expect(await ingest.store(events, 0)).toEqual([])
    expect(await taken(device.id)).toEqual({ has: ['e1'], not: {} })
  })

  it('under load keeps every latest value and every event; only points of one moment become one, and are counted', async () => {
    const device = await newDevice()
    const before = await counted('campanile_device_points_coalesced_total', meters)
    const reports = Array.from({ length: 50 }, (_, n) => said(device, 'state', { ts: at - 50 + n, battery: n, cpu: n }))
    await ingest.store([...reports, said(device, 'event', { id: 'kept', ts: at, type: 'door' })], 10_000)
    const { row, history } = await outcome(device.id)
    expect(row).toMatchObject({ battery: 49, events: [['kept', 'door', null]] })
    expect(history).toEqual([{ ts: at - 1, values: [expect.arrayContaining([49]), expect.arrayContaining([49])] }])
    expect((await counted('campanile_device_points_coalesced_total', meters)) - before).toBe(49)
  })

  it('that cannot be kept is left out and counted, and spoils nothing of its batch', async () => {
    const device = await newDevice()
    refusals.length = 0
    const before = await counted('campanile_device_messages_dropped_total', meters)
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
    expect(refusals.map(({ reason }) => reason)).toEqual(['invalidValue', 'clockAhead', 'invalidValue', 'invalidValue'])
    expect((await outcome(device.id)).row).toMatchObject({ battery: 7, events: null })
    expect((await counted('campanile_device_messages_dropped_total', meters)) - before).toBe(4)
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
