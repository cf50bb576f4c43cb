import { protocol } from '@campanile/contract'
import type { Db } from '../../../platform/db.ts'
import { type Point, together } from './codec.ts'
import { type Summary, summarise, summaryOf, whole } from './rollup.ts'
import { dayMs, findHours, findRaw, findRollups, hourMs, periodOf, slotOf } from './telemetry.store.ts'

/** Points of a chart; more cannot be told apart on a screen. */
const pointsMax = 720
const pointsWithin = 26 * hourMs
const hoursWithin = 62 * dayMs

export interface History {
  step: number
  series: Partial<Record<protocol.TelemetryName, { t: number; min: number; avg: number; max: number }[]>>
}
interface Range {
  readonly from: number
  readonly to: number
}

type Chart = Map<number, Map<number, Summary>>
const add = (chart: Chart, at: number, summaries: ReadonlyMap<number, Summary>) => {
  const held = chart.get(at) ?? new Map<number, Summary>()
  for (const [name, summary] of summaries) summarise(held, name, summary)
  chart.set(at, held)
}

/** What has come in but is not packed yet, by hour. */
export const findTail = async (db: Db, id: number): Promise<Map<number, Point[]>> => {
  const hours = new Map<number, Point[]>()
  const rows = await findRaw(db, 'telemetry_raw', [id])
  for (const point of together(rows.flatMap(({ points }) => points))) {
    const hour = Math.floor(point.ts / hourMs) * hourMs
    hours.set(hour, [...(hours.get(hour) ?? []), point])
  }
  return hours
}

/** Every point, drawn together where there are more than a screen shows. */
const byPoint = async (db: Db, id: number, { from, to }: Range): Promise<{ step: number; chart: Chart }> => {
  const packed = await findHours(db, [id], Math.floor(from / hourMs) * hourMs, to)
  const tail = await findTail(db, id)
  const points = together([...packed.flatMap((row) => row.points), ...[...tail.values()].flat()]).filter(
    ({ ts }) => ts >= from && ts < to,
  )
  const step = Math.max(1_000, Math.ceil((to - from) / pointsMax / 1_000) * 1_000)
  const chart: Chart = new Map()
  for (const point of points) add(chart, Math.floor(point.ts / step) * step, summaryOf([point]))
  return { step, chart }
}

/** Hours, and for those that are not packed yet what is known of them. */
const byHour = async (db: Db, id: number, { from, to }: Range, tail?: ReadonlyMap<number, Point[]>): Promise<Chart> => {
  const chart: Chart = new Map()
  for (const { period, slots } of await findRollups(db, 'hour', [id], from, to))
    for (const [slot, summaries] of slots) add(chart, period + slot * hourMs, summaries)
  for (const [hour, points] of tail ?? (await findTail(db, id)))
    if (!chart.has(hour)) add(chart, hour, summaryOf(points))
  return chart
}

const byDay = async (db: Db, id: number, { from, to }: Range): Promise<Chart> => {
  const chart: Chart = new Map()
  for (const { period, slots } of await findRollups(db, 'day', [id], from, to))
    for (const [slot, summaries] of slots) add(chart, period + slot * dayMs, summaries)
  // Days with hours that are not packed yet are put together from their hours.
  const tail = await findTail(db, id)
  for (const day of new Set([...tail.keys()].map((hour) => periodOf('hour', hour)))) {
    const hours = await byHour(db, id, { from: day, to: day + dayMs - 1 }, tail)
    const slots = new Map(
      [...hours].filter(([at]) => periodOf('hour', at) === day).map(([at, each]) => [slotOf('hour', at), each]),
    )
    chart.set(day, whole(slots))
  }
  return chart
}

/** A device's values over time: every point within a day, hours within two months, days beyond. */
export const findHistory = async (
  db: Db,
  deviceId: number,
  names: readonly protocol.TelemetryName[],
  range: Range,
): Promise<History> => {
  const span = range.to - range.from
  const { step, chart } =
    span <= pointsWithin
      ? await byPoint(db, deviceId, range)
      : span <= hoursWithin
        ? { step: hourMs, chart: await byHour(db, deviceId, range) }
        : { step: dayMs, chart: await byDay(db, deviceId, range) }
  const times = [...chart.keys()].filter((t) => t + step > range.from && t < range.to).sort((a, b) => a - b)
  const series: History['series'] = {}
  for (const name of names) {
    const at = protocol.telemetryNames.indexOf(name)
    series[name] = times.flatMap((t) => {
      const found = chart.get(t)?.get(at)
      return found ? [{ t, min: found.min, avg: found.sum / found.count, max: found.max }] : []
    })
  }
  return { step, series }
}
