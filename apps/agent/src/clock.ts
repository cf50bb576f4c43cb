import type { Timers } from './timers.ts'

/** A moment as it was noted. Without the server's time, how long the machine had been up tells it later. */
export interface Moment {
  readonly ts: number
  readonly up?: number
  readonly boot?: string
}

export interface Clock {
  /** The server's time as far as it is known, else the machine's own. */
  now(): number
  /** The server's time; undefined until it was heard in this run. */
  known(): number | undefined
  /** How far the machine's clock is ahead of the server's. */
  ahead(): number | undefined
  learn(serverTime: number): void
  /** Notes a moment the machine's own clock gives. */
  note(own: number): Moment
  /** When that was by the server's time; undefined when nobody can tell. */
  timeOf(moment: Moment): number | undefined
}

/** An HTTP date counts whole seconds, and a word takes its time to arrive: such a difference is none. */
const agreesMs = 2_000
/** A clock that says less was never set: this program is younger. */
const earliest = Date.UTC(2025, 0, 1)
const aheadMax = 10 * 60_000

export interface ClockParts {
  readonly own: Timers['now']
  /** Milliseconds since the machine started, asleep or awake; nobody can set it. */
  readonly uptime: () => number
  readonly boot: string
}

/** The server's clock kept beside the machine's own, which may be wrong, unset or set in the middle of everything. */
export const createClock = ({ own, uptime, boot }: ClockParts): Clock => {
  let anchor: { readonly server: number; readonly up: number } | undefined
  let offset = 0

  const known = (): number | undefined => {
    if (!anchor) return undefined
    const expected = anchor.server + (uptime() - anchor.up)
    // Somebody has set the machine's clock since.
    if (Math.abs(own() + offset - expected) > agreesMs) offset = expected - own()
    return Math.round(own() + offset)
  }
  const plausible = (time: number) => time >= earliest && time <= (known() ?? Number.POSITIVE_INFINITY) + aheadMax

  return {
    now: () => known() ?? own(),
    known,
    ahead: () => (known() === undefined ? undefined : -Math.round(offset)),
    learn: (serverTime) => {
      offset = Math.abs(serverTime - own()) <= agreesMs ? 0 : serverTime - own()
      anchor = { server: own() + offset, up: uptime() }
    },
    note: (then) =>
      known() === undefined
        ? { ts: then, up: Math.round(uptime() - (own() - then)), boot }
        : { ts: Math.round(then + offset) },
    timeOf: ({ ts, up, boot: ofBoot }) => {
      if (up === undefined) return ts
      const now = known()
      if (now !== undefined && ofBoot === boot) return Math.max(0, Math.round(now - (uptime() - up)))
      return plausible(ts) ? ts : undefined
    },
  }
}
