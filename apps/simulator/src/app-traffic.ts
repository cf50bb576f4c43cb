import type { AppCounts, DeviceEvent, StateValues } from '@campanile/contract/protocol'

const everyMs = 15 * 60_000
const counters = ['mobileUp', 'mobileDown', 'wifiUp', 'wifiDown'] as const
/** The rest is the system's own. */
const ofApps = 0.9

/** What the apps of a simulated device have used of what it used itself: the first most, each other half of the one before. */
export const createAppTraffic = (start: number) => {
  let since = start
  let base: StateValues | undefined
  let due = 0

  return {
    look: (now: number, values: StateValues, apps: readonly string[], has: (app: string) => boolean): DeviceEvent[] => {
      base ??= values
      if (now < due || apps.length === 0) return []
      due = now + everyMs
      const whole = apps.reduce((sum, _, at) => sum + 0.5 ** at, 0)
      const countsOf = (at: number): AppCounts => {
        const share = (ofApps * 0.5 ** at) / whole
        const used = counters.flatMap((name) => {
          const value = values[name]
          return value === undefined ? [] : [[name, Math.floor((value - (base?.[name] ?? 0)) * share)]]
        })
        return { since, ...Object.fromEntries(used) }
      }
      const data = { apps: Object.fromEntries(apps.flatMap((name, at) => (has(name) ? [[name, countsOf(at)]] : []))) }
      return [{ id: `apps-${now.toString(36)}`, ts: now, type: 'appTraffic', level: 'info', data }]
    },
    /** Counters begin anew with the machine. */
    startAnew: (now: number) => {
      since = now
      base = undefined
      due = 0
    },
  }
}
