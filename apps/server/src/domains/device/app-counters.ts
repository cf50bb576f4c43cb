import { protocol } from '@campanile/contract'

export type Counters = Record<protocol.AppCounter, number>

/** Of one app of one device, at one moment. */
export interface Reading {
  /** By the device's clock; by the server's where it has none. */
  readonly time: number
  readonly serverTime: boolean
  /** What is left out stands as it stood. */
  readonly told: Partial<Counters>
}
/** How far a counting is known. */
export interface Counted {
  readonly time: number
  readonly counters: Counters
}

const each = (value: (name: protocol.AppCounter) => number): Counters =>
  Object.fromEntries(protocol.appCounters.map((name) => [name, value(name)])) as Counters

export const noBytes = each(() => 0)
export const plus = (one: Counters, other: Counters) => each((name) => one[name] + other[name])
export const isNothing = (counters: Counters) => protocol.appCounters.every((name) => counters[name] === 0)

/**
 * What a reading adds to a counting that is known so far. Only a newer one adds anything: what is repeated or comes late is
 * part of what was counted. A newer one that stands lower has begun anew without a new `since`; of a device without a clock
 * nobody knows which of two is newer, so there it adds nothing.
 */
export const read = (known: Counted, { time, serverTime, told }: Reading): { counted: Counted; by: Counters } => {
  if (time <= known.time) return { counted: known, by: noBytes }
  const stands = each((name) => told[name] ?? known.counters[name])
  const isLower = protocol.appCounters.some((name) => stands[name] < known.counters[name])
  if (isLower && !serverTime) return { counted: { time, counters: stands }, by: each((name) => told[name] ?? 0) }
  const counters = each((name) => Math.max(stands[name], known.counters[name]))
  return { counted: { time, counters }, by: each((name) => counters[name] - known.counters[name]) }
}
