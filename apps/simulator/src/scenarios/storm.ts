import { load } from './load.ts'
import type { Scenario } from './scenario.ts'

const everyMs = 60_000

/** Once a minute the whole fleet loses its network at the same moment and comes back. */
export const storm: Scenario = {
  ...load,
  direct: ({ timers, interrupt }) => {
    const strike = () => {
      interrupt(1)
      timers.after(everyMs, strike)
    }
    timers.after(everyMs, strike)
  },
}
