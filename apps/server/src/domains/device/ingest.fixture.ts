import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { choice, defineDeviceEvent, number, optional } from '@campanile/contract/kit'
import { sql } from 'kysely'
import pino from 'pino'
import { Registry } from 'prom-client'
import { expect } from 'vitest'
import type { Happening, RefusedAttempt, UpKind } from '../../gateway/wire.ts'
import { createDb, type Db } from '../../platform/db.ts'
import { addDepartment } from '../../test/app.ts'
import { addDevice } from '../../test/devices.ts'
import { testDatabase } from '../../test/pg.ts'
import { createCrashNotes } from './crash-notes.ts'
import { createDeviceMeters } from './device.meters.ts'
import { createEventTakers } from './event-takers.ts'
import { createIngest } from './ingest.ts'
import { createPresence } from './presence.ts'
import { together } from './telemetry/codec.ts'
import { findRaw } from './telemetry/telemetry.store.ts'

/** The moment at which devices of a test speak. */
export const at = Date.now()

/** As the gateway hands it over. */
export const said = (device: { id: number; sn: string }, kind: UpKind, body: object): Happening => ({
  what: 'message',
  deviceId: device.id,
  sn: device.sn,
  address: '10.0.0.1',
  kind,
  text: JSON.stringify(body),
  at,
})

/** A kind of event that a room takes, and how the room fails over one. */
export const swung = defineDeviceEvent({
  type: 'swung',
  texts: 'test',
  meaning: 'a pendulum passed its lowest point',
  data: { n: number(0, 99), trouble: optional(choice(['thrown', 'wrongSql', 'wrongValue', 'lineCut'])) },
})
const troubles = {
  thrown: async () => {
    throw new Error('no connection between the two')
  },
  wrongSql: (tx: Db) => sql`select nothing from nowhere`.execute(tx),
  wrongValue: (tx: Db) => sql`select 'none'::int`.execute(tx),
  /** As if somebody had ended PostgreSQL's process: once, and not when it is tried again. */
  lineCut: (tx: Db) => sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx),
}

/** The sum of a metric over its labels. */
export const counted = async (name: string, register: Registry) =>
  (await register.getSingleMetric(name)?.get())?.values.reduce((sum, { value }) => sum + value, 0) ?? 0

/** The way into the database with devices that are rows, and what becomes of what they say. */
export const startIngest = async () => {
  const database = await testDatabase()
  const ownerDb = createDb(database.owner)
  const folder = await mkdtemp(join(tmpdir(), 'campanile-ingest-'))
  const departmentId = await addDepartment(database.db, { name: 'Root' })
  const meters = new Registry()
  const refusals: RefusedAttempt[] = []
  let made = 0
  const asOwner = (text: string) => ownerDb.pool.query(text)
  // Stands for the room that hears replies: each is a row, written in the transaction it was given.
  await asOwner(`create table told (device_id bigint, id text, primary key (device_id, id));
    grant all on told to campanile_app;
    create table taken (turn bigint generated always as identity, device_id bigint, id text);
    grant all on taken to campanile_app`)
  // Stands for the room that takes events. Nothing in its table would keep one from being taken twice.
  const takers = createEventTakers()
  const cut = new Set<string>()
  takers.add(swung, async (tx, events) => {
    for (const { deviceId, id, data } of events) {
      await sql`insert into taken (device_id, id) values (${deviceId}, ${id})`.execute(tx)
      const key = `${deviceId} ${id}`
      if (!data.trouble || (data.trouble === 'lineCut' && cut.has(key))) continue
      cut.add(key)
      await troubles[data.trouble](tx)
    }
  })

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
      takers,
      answered: async (tx, some) => {
        for (const { deviceId, reply } of some) {
          await sql`insert into told (device_id, id) values (${deviceId}, ${reply.id}) on conflict do nothing`.execute(
            tx,
          )
          if (reply.error) await sql`select ${reply.error}::int`.execute(tx)
        }
      },
      refused: (some) => refusals.push(...some),
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

  /** What the room has of a device's events, in its order, and which of them it was not given and why. */
  const taken = async (id: number) => {
    const has = await sql<{ id: string }>`select id from taken where device_id = ${id} order by turn`.execute(
      database.db,
    )
    const not = await sql<{ id: string; untaken: unknown }>`select event_id as id, untaken from device_event
      where device_id = ${id} and untaken is not null order by event_id`.execute(database.db)
    return {
      has: has.rows.map((each) => each.id),
      not: Object.fromEntries(not.rows.map((each) => [each.id, each.untaken])),
    }
  }

  return {
    database,
    taken,
    departmentId,
    meters,
    refusals,
    asOwner,
    newIngest,
    ingest: newIngest({ register: meters }),
    newDevice: () => addDevice(database.db, { sn: `FLOW-${++made}`, departmentId }),
    outcome,
    stop: async () => {
      await ownerDb.close()
      await database.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
