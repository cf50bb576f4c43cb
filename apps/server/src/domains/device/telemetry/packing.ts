import { protocol } from '@campanile/contract'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db.ts'
import { type Span, tidyRecords } from '../../../platform/records.ts'
import { removeOldOwnValues } from '../own-values.store.ts'
import { type Point, pack, together } from './codec.ts'
import { summaryOf, whole } from './rollup.ts'
import {
  dayMs,
  findDevices,
  findHours,
  findRaw,
  findRollups,
  hourMs,
  keyOf,
  periodOf,
  type RollupRow,
  removeOld,
  type Step,
  slotOf,
  writeHours,
  writeRollups,
} from './telemetry.store.ts'

const devicesAtOnce = 200
/** A batch that was on its way when the hour ended. */
const graceMs = 2 * 60_000

/** How long points, hours and days are kept. */
export const kept = {
  points: protocol.pointDays * dayMs,
  hours: 400 * dayMs,
  days: 1_830 * dayMs,
  happenings: 400 * dayMs,
}

/** Packs what devices said into their hours, and works their hours and days out anew from all of it. */
export const packPoints = async (
  tx: Db,
  said: readonly { deviceId: number; points: readonly Point[] }[],
  oldest: number,
) => {
  const ids = [...new Set(said.map(({ deviceId }) => deviceId))]
  const hours = new Map<string, { deviceId: number; hour: number; points: Point[] }>()
  for (const { deviceId, points } of said) {
    for (const point of points) {
      const hour = Math.floor(point.ts / hourMs) * hourMs
      // A clock that is years behind would make partitions of its own.
      if (hour < oldest) continue
      const key = keyOf(deviceId, hour)
      const row = hours.get(key) ?? { deviceId, hour, points: [] }
      row.points.push(point)
      hours.set(key, row)
    }
  }
  if (hours.size === 0) return
  const times = [...hours.values()].map(({ hour }) => hour)
  const first = times.reduce((a, b) => Math.min(a, b))
  const last = times.reduce((a, b) => Math.max(a, b))
  for (const { deviceId, hour, points } of await findHours(tx, ids, first, last))
    hours.get(keyOf(deviceId, hour))?.points.push(...points)
  const rows = [...hours.values()].map((row) => ({ ...row, points: together(row.points) }))
  await writeHours(
    tx,
    rows.map(({ deviceId, hour, points }) => ({ deviceId, hour, block: pack(points, hour) })),
  )
  const byHour = await refill(
    tx,
    'hour',
    ids,
    rows.map(({ deviceId, hour, points }) => ({ deviceId, at: hour, summary: summaryOf(points) })),
  )
  await refill(
    tx,
    'day',
    ids,
    byHour.map(({ deviceId, period, slots }) => ({ deviceId, at: period, summary: whole(slots) })),
  )
}

/** Puts each summary into its slot, instead of what was there. */
const refill = async (
  tx: Db,
  step: Step,
  ids: readonly number[],
  fresh: readonly { deviceId: number; at: number; summary: ReturnType<typeof summaryOf> }[],
): Promise<RollupRow[]> => {
  const times = fresh.map(({ at }) => at)
  const stored = await findRollups(
    tx,
    step,
    ids,
    times.reduce((a, b) => Math.min(a, b)),
    times.reduce((a, b) => Math.max(a, b)),
  )
  const rows = new Map(stored.map((row) => [keyOf(row.deviceId, row.period), row]))
  const touched = new Set<RollupRow>()
  for (const { deviceId, at, summary } of fresh) {
    const period = periodOf(step, at)
    const row = rows.get(keyOf(deviceId, period)) ?? { deviceId, period, slots: new Map() }
    row.slots.set(slotOf(step, at), summary)
    rows.set(keyOf(deviceId, period), row)
    touched.add(row)
  }
  await writeRollups(tx, step, [...touched])
  return [...touched]
}

const packTable = async (db: Db, table: string, now: Date) => {
  for (let after = 0; ; ) {
    const ids = await findDevices(db, table, after, devicesAtOnce)
    if (ids.length === 0) return
    await db.transaction().execute(async (tx) => {
      // Two servers that pack the same hour would each forget what the other wrote.
      await sql`select pg_advisory_xact_lock(hashtext('telemetry_pack'))`.execute(tx)
      await packPoints(tx as Db, await findRaw(tx as Db, table, ids), now.getTime() - kept.points)
    })
    after = ids.at(-1) as number
  }
}

/** Every few minutes: parts for what comes, packing of what is over, an end to what is old. Repeating it changes nothing. */
export const keepTelemetry = async (db: Db, now: Date) => {
  const rollUp = (_: Db, { name }: Span) => packTable(db, name, now)
  // As they come in, until their hour is over and packed.
  await tidyRecords(db, { table: 'telemetry_raw', keepDays: () => 0, graceMs, rollUp }, now)
  await tidyRecords(db, { table: 'telemetry_hour', keepDays: () => kept.points / dayMs }, now)
  await tidyRecords(db, { table: 'presence_log', keepDays: () => kept.happenings / dayMs }, now)
  await removeOldOwnValues(db, new Date(now.getTime() - kept.points))
  await removeOld(db, {
    hourly: new Date(now.getTime() - kept.hours),
    daily: new Date(now.getTime() - kept.days),
    happened: new Date(now.getTime() - kept.happenings),
  })
}
