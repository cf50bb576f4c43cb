import { sql } from 'kysely'
import type { Db } from '../../../platform/db.ts'
import { prepareRecords } from '../../../platform/records.ts'
import { findOwnedSince } from '../handover.store.ts'
import { type Point, unpack } from './codec.ts'
import { packSlots, type Slots, unpackSlots } from './rollup.ts'

export const hourMs = 3_600_000
export const dayMs = 24 * hourMs
export type Step = 'hour' | 'day'

const iso = (ms: number) => new Date(ms).toISOString()
const date = (ms: number) => iso(ms).slice(0, 10)
/** The first instant of the row that holds this one. */
export const periodOf = (step: Step, ms: number) =>
  step === 'hour' ? Math.floor(ms / dayMs) * dayMs : Date.UTC(new Date(ms).getUTCFullYear(), new Date(ms).getUTCMonth())
export const slotOf = (step: Step, ms: number) =>
  step === 'hour' ? new Date(ms).getUTCHours() : new Date(ms).getUTCDate() - 1

/** A key of both, for maps. */
export const keyOf = (deviceId: number, ms: number) => `${deviceId} ${ms}`

/** Room for the packed hours of a day. */
export const prepare = (db: Db, at: Date) => prepareRecords(db, 'telemetry_hour', at)

export const findDevices = async (db: Db, table: string, after: number, limit: number): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`select distinct device_id as id from ${sql.table(table)}
    where device_id > ${after} order by 1 limit ${limit}`.execute(db)
  return rows.map((row) => row.id)
}

/** A block that cannot be read is left out: it must not keep those of other devices from being packed. */
const pointsOf = (block: Buffer, from: number): Point[] => {
  try {
    return unpack(block, from)
  } catch (error) {
    if (error instanceof RangeError) return []
    throw error
  }
}

export const findRaw = async (db: Db, table: string, ids: readonly number[]) => {
  const { rows } = await sql<{
    deviceId: number
    ts: number
    point: Buffer
  }>`select device_id as "deviceId", ts, point from ${sql.table(table)}
    where device_id = any(${ids})`.execute(db)
  // What a device says late of the time with its former enterprise is nobody's here.
  const since = await findOwnedSince(db, ids)
  return rows.map((row) => ({
    deviceId: row.deviceId,
    points: pointsOf(row.point, row.ts).filter(({ ts }) => ts >= (since.get(row.deviceId) ?? 0)),
  }))
}

export const findHours = async (db: Db, ids: readonly number[], from: number, to: number) => {
  const { rows } = await sql<{ deviceId: number; hour: number; points: Buffer }>`
    select device_id as "deviceId", (extract(epoch from hour) * 1000)::bigint as hour, points from telemetry_hour
    where device_id = any(${ids}) and hour >= ${iso(from)} and hour <= ${iso(to)}`.execute(db)
  return rows.map(({ deviceId, hour, points }) => ({ deviceId, hour, points: pointsOf(points, hour) }))
}

export const writeHours = (tx: Db, rows: readonly { deviceId: number; hour: number; block: Buffer }[]) =>
  sql`insert into telemetry_hour (device_id, hour, points)
    select u.id, to_timestamp(u.hour / 1000.0), decode(u.block, 'base64')
    from unnest(${rows.map((row) => row.deviceId)}::bigint[], ${rows.map((row) => row.hour)}::float8[],
      ${rows.map((row) => row.block.toString('base64'))}::text[]) as u(id, hour, block)
    on conflict (device_id, hour) do update set points = excluded.points`.execute(tx)

export interface RollupRow {
  deviceId: number
  period: number
  slots: Slots
}

export const findRollups = async (
  db: Db,
  step: Step,
  ids: readonly number[],
  from: number,
  to: number,
): Promise<RollupRow[]> => {
  const { rows } = await sql<{ deviceId: number; period: string; slots: Buffer }>`
    select device_id as "deviceId", period, slots from telemetry_rollup
    where device_id = any(${ids}) and step = ${step}
      and period >= ${date(periodOf(step, from))} and period <= ${date(periodOf(step, to))}`.execute(db)
  return rows.map((row) => ({ ...row, period: Date.parse(`${row.period}T00:00:00Z`), slots: unpackSlots(row.slots) }))
}

export const writeRollups = (tx: Db, step: Step, rows: readonly RollupRow[]) =>
  sql`insert into telemetry_rollup (device_id, step, period, slots)
    select u.id, ${step}, u.period::date, decode(u.slots, 'base64')
    from unnest(${rows.map((row) => row.deviceId)}::bigint[], ${rows.map((row) => date(row.period))}::text[],
      ${rows.map((row) => packSlots(row.slots).toString('base64'))}::text[]) as u(id, period, slots)
    on conflict (device_id, step, period) do update set slots = excluded.slots`.execute(tx)

/** Sums, which are few, and events, which are told apart by their own ids and so cannot be divided by time. */
export const removeOld = (db: Db, keep: { hourly: Date; daily: Date; happened: Date }) =>
  sql`with hours as (delete from telemetry_rollup where step = 'hour' and period < ${keep.hourly}),
      days as (delete from telemetry_rollup where step = 'day' and period < ${keep.daily})
    delete from device_event where received < ${keep.happened}`.execute(db)
