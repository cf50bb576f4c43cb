import type { Timers } from '@campanile/agent'

/** What a scenario may do to the fleet. */
export interface Stage {
  readonly timers: Timers
  readonly random: () => number
  interrupt(share: number): void
}

export interface Scenario {
  readonly heartbeatSeconds: number
  /** Share of devices whose network comes and goes. */
  readonly flapping: number
  /** Share of devices on which commands often go wrong. */
  readonly shaky: number
  /** Connections begun per second. */
  readonly connectsPerSecond: number
  direct?(stage: Stage): void
}
