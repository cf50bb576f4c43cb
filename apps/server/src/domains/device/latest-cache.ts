import type { Latest, Own } from './latest.ts'

/** Latest values of a device as of a version of its row. */
export interface CachedState {
  readonly values: Latest
  readonly own: Own
  readonly version: number
}

/** Devices whose latest values are kept at hand. */
const heldMax = 50_000

/**
 * Saves reading what was written a moment ago. It may be wrong or forget at any time: whoever writes holds what it was given,
 * and the version of the row tells whether that was still true.
 */
export const createLatestCache = (max = heldMax) => {
  const held = new Map<number, CachedState>()
  return {
    get: (id: number): CachedState | undefined => held.get(id),
    keep: (rows: ReadonlyMap<number, CachedState>) => {
      for (const [id, row] of rows) {
        // To the end: the one that was not heard of for longest goes first.
        held.delete(id)
        held.set(id, row)
      }
      for (const id of held.keys()) {
        if (held.size <= max) break
        held.delete(id)
      }
    },
    forget: (ids: Iterable<number>) => {
      for (const id of ids) held.delete(id)
    },
  }
}
