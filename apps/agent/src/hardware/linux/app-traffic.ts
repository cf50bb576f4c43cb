import type { AppCounts, DeviceEvent } from '@campanile/contract/protocol'
import type { Config } from '../../config.ts'
import type { Machine } from './machine.ts'

const everyMs = 15 * 60_000
/** As many as surely fit one event, whatever they are called. */
const atOnce = 60
/** What systemd says where it does not count. */
const uncounted = 2n ** 64n - 1n

const bytesOf = (text: string | undefined): number | undefined =>
  text && /^\d+$/.test(text) && BigInt(text) !== uncounted ? Number(text) : undefined

/** `Sun 2026-11-15 23:20:19 UTC`, as systemd writes it where the zone is UTC. */
const momentOf = (text: string | undefined): number | undefined => {
  const [, day, time] = /(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)/.exec(text ?? '') ?? []
  return day && time ? Date.parse(`${day}T${time}Z`) : undefined
}

/** Of each unit in the order asked for: its counters, or nothing where the unit does not run or is not counted. */
export const readCounters = (shown: string): (AppCounts | undefined)[] =>
  shown
    .trim()
    .split(/\n\s*\n/)
    .map((block) => {
      const facts = new Map(block.split('\n').map((line) => line.split(/=(.*)/s, 2) as [string, string]))
      const since = momentOf(facts.get('ActiveEnterTimestamp'))
      const down = bytesOf(facts.get('IPIngressBytes'))
      const up = bytesOf(facts.get('IPEgressBytes'))
      return since === undefined || up === undefined || down === undefined ? undefined : { since, up, down }
    })

/**
 * What the services of configured apps have sent and received, as the kernel counts it for systemd (`IPAccounting=yes` of the
 * unit). Plain Linux counts bytes for no program otherwise, so of apps without that nothing is told. The count begins anew
 * when a service starts, holds what went to other programs of the machine too, and does not know which network it went by.
 */
export const createAppTraffic = (machine: Machine, config: Config) => {
  const units = Object.entries(config.apps).flatMap(([app, { unit }]) => (unit ? [{ app, unit }] : []))
  let due = 0
  let told = ''

  return async (now: number): Promise<DeviceEvent[]> => {
    if (units.length === 0 || !machine.hasSystemd || now < due) return []
    due = now + everyMs
    const properties = ['ActiveEnterTimestamp', 'IPIngressBytes', 'IPEgressBytes'].map((name) => `--property=${name}`)
    const names = units.map(({ unit }) => unit)
    const shown = await machine
      .run('systemctl', ['show', ...properties, '--', ...names], { env: { TZ: 'UTC' } })
      .catch(() => '')
    const counters = readCounters(shown)
    // One answer a unit: with any other number nobody knows whose is whose.
    if (counters.length !== units.length) return []
    const apps = units.flatMap(({ app }, at) => {
      const counted = counters[at]
      return counted ? [[app, counted] as const] : []
    })
    const text = JSON.stringify(apps)
    if (apps.length === 0 || text === told) return []
    told = text
    return Array.from({ length: Math.ceil(apps.length / atOnce) }, (_, part) => ({
      id: `appTraffic-${now.toString(36)}-${part}`,
      ts: now,
      type: 'appTraffic',
      level: 'info',
      data: { apps: Object.fromEntries(apps.slice(part * atOnce, (part + 1) * atOnce)) },
    }))
  }
}
