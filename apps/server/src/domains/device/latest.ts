import type { protocol } from '@campanile/contract'

export type Value = string | number | boolean
export interface Told {
  v: Value
  /** Milliseconds by the device's clock. */
  t: number
  /** The device has no clock: `t` is when the server received it. */
  r?: true
}
/** Latest value of each name, as stored in `device_state.values`. */
export type Latest = Partial<Record<protocol.StateName, Told>>
/** The same by the device's own names, as stored in `device_state.own`. */
export type Own = Record<string, Told>

const kinds = ['boolean', 'number', 'string']

/** Numbers by size, true over false, words by their characters; a word over a number over a yes or no. */
const isLarger = (a: Value, b: Value) =>
  typeof a === typeof b ? a > b : kinds.indexOf(typeof a) > kinds.indexOf(typeof b)

/**
 * Of two values of the same millisecond the larger one stands, whichever came first. Two that the server itself dated came in
 * the order they happened, so the later one does.
 */
const wins = (told: Told, held: Told | undefined) =>
  !held ||
  told.t > held.t ||
  (told.t === held.t && told.v !== held.v && ((told.r && held.r) || isLarger(told.v, held.v)))

/** Newest wins by name. Late and repeated reports change nothing, so the order in which they come does not matter. */
export const merge = (
  latest: Latest,
  state: { readonly ts: number } & Readonly<Record<string, unknown>>,
  received = false,
): boolean => {
  let changed = false
  for (const [key, value] of Object.entries(state)) {
    if (key === 'ts' || value === undefined) continue
    const name = key as protocol.StateName
    const told: Told = { v: value as Value, t: state.ts, ...(received && { r: true as const }) }
    if (!wins(told, latest[name])) continue
    latest[name] = told
    changed = true
  }
  return changed
}

/** Answers whether there was room for the name. Own names may be any word, also one that every object has. */
export const mergeOwn = (own: Own, name: string, told: Told, most: number): boolean => {
  const held = Object.hasOwn(own, name) ? own[name] : undefined
  if (!held && Object.keys(own).length >= most) return false
  if (wins(told, held)) own[name] = told
  return true
}
