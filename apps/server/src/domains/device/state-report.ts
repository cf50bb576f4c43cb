import { protocol } from '@campanile/contract'
import type { Db } from '../../platform/db.ts'
import { appendLatePoints, appendPoints, findLatest, lockLatest, writeStates } from './ingest.store.ts'
import { type Latest, merge, mergeOwn, type Own } from './latest.ts'
import type { CachedState, createLatestCache } from './latest-cache.ts'
import { ownKey } from './own-values.store.ts'
import type { OwnNames } from './own-values.ts'
import type { StateReport } from './plan.ts'
import { type Point, pointOf } from './telemetry/codec.ts'

/** With this many waiting, reports of one device within a batch become one point of its history. */
const busy = 5_000

type Cache = ReturnType<typeof createLatestCache>
interface Merged extends CachedState {
  readonly seen: number
  readonly ahead: number | undefined
}
/** A report that is no older was told as it happened. One of a device that was cut off may be of any time. */
const momentMs = 60_000

/** Only names that its enterprise and the device itself have room for. */
const mergeOwnValues = (own: Own, { id, state, received, own: said }: StateReport, names: OwnNames): Own => {
  const copy = { ...own }
  for (const [name, v] of Object.entries(said ?? {}))
    if (names.has(ownKey(id, name)))
      mergeOwn(copy, name, { v, t: state.ts, ...(received && { r: true as const }) }, protocol.ownPerDevice)
  return copy
}

/** New values are worked out on copies: what is not committed must not be remembered. */
const mergeInto = (
  held: ReadonlyMap<number, CachedState>,
  reports: readonly StateReport[],
  names: OwnNames,
): Map<number, Merged> => {
  const merged = new Map<
    number,
    { values: Latest; own: Own; version: number; seen: number; ahead: number | undefined }
  >()
  for (const report of reports) {
    const { id, seen, state, received } = report
    const before = held.get(id)
    // Deleted meanwhile.
    if (!before) continue
    const row = merged.get(id) ?? { ...before, values: { ...before.values }, seen: 0, ahead: undefined }
    merge(row.values, state, received)
    if (report.own) row.own = mergeOwnValues(row.own, report, names)
    row.seen = Math.max(row.seen, seen)
    if (!received && Math.abs(state.ts - seen) <= momentMs) row.ahead = state.ts - seen
    merged.set(id, row)
  }
  return merged
}

/** As the cache or else the database has them. */
export const loadLatest = async (
  db: Db,
  cache: Cache,
  reports: readonly StateReport[],
): Promise<Map<number, CachedState>> => {
  const held = new Map<number, CachedState>()
  const missing = new Set<number>()
  for (const { id } of reports) {
    const found = cache.get(id)
    if (found) held.set(id, found)
    else missing.add(id)
  }
  if (missing.size > 0) for (const [id, row] of await findLatest(db, [...missing])) held.set(id, row)
  return held
}

/**
 * Brings the rows up to date and answers them. Where a row is not as it was read, because another server or lane wrote it, it
 * is read again under a lock and `held` is corrected.
 */
export const writeLatest = async (
  tx: Db,
  held: Map<number, CachedState>,
  reports: readonly StateReport[],
  names: OwnNames,
): Promise<Map<number, CachedState>> => {
  const merged = mergeInto(held, reports, names)
  const write = (rows: ReadonlyMap<number, Merged>) =>
    writeStates(
      tx,
      [...rows].map(([id, row]) => ({ id, ...row, own: row.own === held.get(id)?.own ? undefined : row.own })),
    )
  const written = await write(merged)
  const overtaken = [...merged.keys()].filter((id) => !written.has(id))
  if (overtaken.length > 0) {
    const current = await lockLatest(tx, overtaken)
    for (const id of overtaken) {
      const row = current.get(id)
      if (row) held.set(id, row)
      else held.delete(id)
      merged.delete(id)
    }
    const again = mergeInto(
      current,
      reports.filter(({ id }) => current.has(id)),
      names,
    )
    await write(again)
    for (const [id, row] of again) merged.set(id, row)
  }
  return new Map([...merged].map(([id, { values, own, version }]) => [id, { values, own, version: version + 1 }]))
}

const newestOf = (held: CachedState | undefined): number => {
  let newest = Number.NEGATIVE_INFINITY
  for (const { t } of Object.values(held?.values ?? {})) newest = Math.max(newest, t)
  return newest
}

/** One report of several: each name's newest value, at the newest time. */
const together = (reports: readonly StateReport[]): Point | undefined => {
  const latest: Latest = {}
  let ts = 0
  for (const { state, received } of reports) {
    merge(latest, state, received)
    ts = Math.max(ts, state.ts)
  }
  return pointOf({ ...Object.fromEntries(Object.entries(latest).map(([name, told]) => [name, told?.v])), ts })
}

interface PointRow {
  id: number
  point: Point
}
const rowOf = (id: number, point: Point | undefined): PointRow[] => (point ? [{ id, point }] : [])

/**
 * Adds to the history of each device. What is newer than anything it told before cannot be a repetition; of the rest it is asked
 * whether it is there already. Answers how many points were left out because too much is waiting.
 */
export const writeHistory = async (
  tx: Db,
  held: ReadonlyMap<number, CachedState>,
  reports: readonly StateReport[],
  waiting: number,
): Promise<number> => {
  const newest = new Map<number, number>()
  const fresh = new Map<number, StateReport[]>()
  const late: PointRow[] = []
  for (const report of reports) {
    const { id, state } = report
    // Deleted meanwhile.
    if (!held.has(id)) continue
    const known = newest.get(id) ?? newestOf(held.get(id))
    newest.set(id, Math.max(known, state.ts))
    if (state.ts <= known) late.push(...rowOf(id, pointOf(state)))
    else {
      const some = fresh.get(id)
      if (some) some.push(report)
      else fresh.set(id, [report])
    }
  }
  const single = [...fresh].flatMap(([id, some]) => some.flatMap(({ state }) => rowOf(id, pointOf(state))))
  const points = waiting < busy ? single : [...fresh].flatMap(([id, some]) => rowOf(id, together(some)))
  const received = new Date()
  await appendPoints(tx, received, points)
  await appendLatePoints(tx, received, late)
  return single.length - points.length
}
