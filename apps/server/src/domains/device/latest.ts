import type { protocol } from '@campanile/contract'

export type Value = string | number | boolean
/** Latest value of each name and the device's time of it, as stored in `device_state.values`. */
export type Latest = Partial<Record<protocol.StateName, { v: Value; t: number }>>

/** Of two values of the same millisecond always the same one wins, whichever came first. */
const wins = (v: Value, t: number, held: { v: Value; t: number } | undefined) =>
  !held || t > held.t || (t === held.t && v !== held.v && `${typeof v}${v}` > `${typeof held.v}${held.v}`)

/** Newest wins by name. Late and repeated reports change nothing, so the order in which they come does not matter. */
export const merge = (latest: Latest, state: { readonly ts: number } & Readonly<Record<string, unknown>>): boolean => {
  let changed = false
  for (const [key, value] of Object.entries(state)) {
    if (key === 'ts' || value === undefined) continue
    const name = key as protocol.StateName
    if (!wins(value as Value, state.ts, latest[name])) continue
    latest[name] = { v: value as Value, t: state.ts }
    changed = true
  }
  return changed
}
