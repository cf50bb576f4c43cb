import { protocol } from '@campanile/contract'
import type { Db } from '../../../platform/db.ts'
import { together } from './codec.ts'
import { findTail } from './history.ts'
import { type Slots, type Summary, summaryOf, whole } from './rollup.ts'
import { addedBy, type Run, runOf } from './run.ts'
import { dayMs, findHours, findRollups, hourMs, periodOf, slotOf } from './telemetry.store.ts'

type Days = Map<number, ReadonlyMap<number, Summary>>
interface Range {
  readonly from: number
  readonly to: number
}

/** A day from its hours, those included that were kept before runs were. */
const dayOf = (slots: Slots, places: readonly number[]) => {
  const last = new Map<number, Run>()
  for (const [, names] of [...slots].sort(([a], [b]) => a - b))
    for (const place of places) {
      const summary = names.get(place)
      if (!summary) continue
      summary.run = runOf(summary, last.get(place))
      last.set(place, summary.run)
    }
  return whole(slots)
}

/** The hours of a day as they are packed, those that have more to come worked out from all that is known of them. */
const findDay = async (
  db: Db,
  id: number,
  day: number,
  tail: Awaited<ReturnType<typeof findTail>>,
  places: readonly number[],
) => {
  const [stored] = await findRollups(db, 'hour', [id], day, day)
  const slots = new Map(stored?.slots)
  const fresh = [...tail].filter(([hour]) => periodOf('hour', hour) === day)
  const packed = fresh.length > 0 ? await findHours(db, [id], day, day + dayMs - hourMs) : []
  for (const [hour, points] of fresh) {
    const before = packed.find((each) => each.hour === hour)?.points ?? []
    slots.set(slotOf('hour', hour), summaryOf(together([...before, ...points])))
  }
  return dayOf(slots, places)
}

const findDays = async (db: Db, id: number, { from, to }: Range): Promise<Days> => {
  const days: Days = new Map()
  for (const { period, slots } of await findRollups(db, 'day', [id], from, to))
    for (const [slot, summaries] of slots) days.set(period + slot * dayMs, summaries)
  return days
}

/**
 * Days that were kept before runs were are told better by their hours, as long as these are kept: also those before the span,
 * or how the counter stood before it would depend on where the span begins.
 */
const retell = async (db: Db, id: number, days: Days, places: readonly number[]) => {
  const isOld = (summaries: ReadonlyMap<number, Summary>) =>
    places.some((place) => summaries.has(place) && !summaries.get(place)?.run)
  const old = new Set([...days].filter(([, summaries]) => isOld(summaries)).map(([day]) => day))
  if (old.size === 0) return
  for (const { period, slots } of await findRollups(db, 'hour', [id], Math.min(...old), Math.max(...old)))
    if (old.has(period)) days.set(period, dayOf(slots, places))
}

/**
 * What counters have counted on each day of a span, by name. A day is the same whatever the span: its first reading is held
 * against the last one before it, however long ago that was.
 */
export const findCounted = async <Name extends protocol.TelemetryName>(
  db: Db,
  deviceId: number,
  names: readonly Name[],
  { from, to }: Range,
): Promise<{ day: number; counted: Partial<Record<Name, number>> }[]> => {
  const places = names.map((name) => protocol.telemetryNames.indexOf(name))
  const tail = await findTail(db, deviceId)
  const fresh = new Map<number, ReadonlyMap<number, Summary>>()
  for (const day of new Set([...tail.keys()].map((hour) => periodOf('hour', hour))))
    fresh.set(day, await findDay(db, deviceId, day, tail, places))
  const read = async (since: number): Promise<Days> =>
    new Map([...(await findDays(db, deviceId, { from: since, to })), ...fresh])
  const isBased = (days: Days, place: number) => [...days].some(([day, each]) => day < from && each.has(place))
  const isTold = (days: Days, place: number) => [...days].some(([day, each]) => day >= from && each.has(place))

  let days = await read(from - dayMs)
  // Seldom: a counter that was silent since before last month, or a device that is new.
  if (places.some((place) => isTold(days, place) && !isBased(days, place))) days = await read(0)
  await retell(db, deviceId, days, places)

  const last = new Map<number, Run>()
  return [...days]
    .filter(([day]) => day < to)
    .sort(([a], [b]) => a - b)
    .flatMap(([day, summaries]) => {
      const counted: Partial<Record<Name, number>> = {}
      for (const [at, name] of names.entries()) {
        const place = places[at] as number
        const summary = summaries.get(place)
        if (!summary) continue
        const run = runOf(summary, last.get(place))
        counted[name] = addedBy(run, last.get(place))
        last.set(place, run)
      }
      return day >= from && Object.keys(counted).length > 0 ? [{ day, counted }] : []
    })
}
