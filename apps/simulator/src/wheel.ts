import type { Timers } from '@campanile/agent'

const slotMs = 50

/** One timer of the system for all devices; each waits in the slot of its time. */
export interface Wheel extends Timers {
  /** Runs what is due, in the order of its time. */
  advanceTo(time: number): void
}

interface Waiting {
  readonly at: number
  what: (() => void) | undefined
}

export const createWheel = (start: number): Wheel => {
  const slots = new Map<number, Waiting[]>()
  let now = start
  let next = Math.floor(start / slotMs)
  return {
    now: () => now,
    after: (ms, what) => {
      const at = now + Math.max(1, ms)
      const slot = Math.max(next, Math.ceil(at / slotMs))
      const waiting: Waiting = { at, what }
      const present = slots.get(slot)
      if (present) present.push(waiting)
      else slots.set(slot, [waiting])
      return () => {
        waiting.what = undefined
      }
    },
    advanceTo: (time) => {
      for (; next * slotMs <= time; next += 1) {
        now = Math.max(now, next * slotMs)
        const due = slots.get(next)
        if (!due) continue
        slots.delete(next)
        for (const { what } of due.sort((one, other) => one.at - other.at)) what?.()
      }
      now = Math.max(now, time)
    },
  }
}

/** Turns with the clock on the wall. */
export const turnWheel = (wheel: Wheel): (() => void) => {
  const timer = setInterval(() => wheel.advanceTo(Date.now()), slotMs)
  return () => clearInterval(timer)
}
