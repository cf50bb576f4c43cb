import { type DeviceEvent, type Hello, type StateValues, telemetryNames } from '@campanile/contract/protocol'
import { createSimulatedHardware } from './hardware.ts'
import { profileOf } from './profiles.ts'
import { between, createRandom, pick, seedOf } from './random.ts'
import type { Scenario } from './scenarios/index.ts'
import { temperOf } from './temper.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** Life goes on in these steps, connected or not; by the minute in the last hour, which a device's own page draws. */
const stepAt = (at: number, now: number) => (at >= now - hourMs ? hourMs / 60 : Math.min(hourMs / 2, now - hourMs - at))
/** What of it is kept: enough for a chart of weeks, and every step of the last day. */
const keptEvery = 12
const closeMs = 26 * hourMs
/** What its apps used: often enough for the days of a month. */
const countedEvery = 6 * hourMs

/** Whose past is asked for, and from when until when it was there; milliseconds since 1970. */
export interface Remembered {
  readonly sn: string
  readonly type: number
  readonly model: string | undefined
  readonly from: number
  readonly to: number
}
interface Span {
  readonly from: number
  readonly to: number
  /** Why it ended. */
  readonly reason: 'clean' | 'lost' | 'keepalive' | 'serverRestart'
}
export interface Past {
  readonly sn: string
  readonly hello: Hello
  readonly spans: readonly Span[]
  /** Values that are kept over time. */
  readonly points: readonly ({ ts: number } & StateValues)[]
  /** Everything it last said. */
  readonly last: ({ ts: number } & StateValues) | undefined
  readonly events: readonly DeviceEvent[]
}

/** When it was there: carried devices are often off at night, all of them drop out now and then. */
const spansOf = ({ from, to, type }: Remembered, random: () => number, isFlapping: boolean): Span[] => {
  const profile = profileOf(type)
  const isCarried = profile.batteryHours !== undefined && !profile.robot
  const outages: { at: number; until: number; reason: Span['reason'] }[] = []
  for (let day = Math.floor(from / dayMs) * dayMs; day < to; day += dayMs) {
    // 22:00 in the fleet's towns (UTC+8), for the night or, now and then, for the day after it too.
    if (isCarried && random() < 0.5) {
      const at = day + 14 * hourMs + between(random, 0, 2) * hourMs
      outages.push({ at, until: at + between(random, 7, 9) * hourMs + (random() < 0.1 ? dayMs : 0), reason: 'clean' })
    }
    if (random() < (isFlapping ? 0.9 : 0.08)) {
      const at = day + between(random, 0, 24) * hourMs
      const minutes = random() < 0.15 ? between(random, 300, 2000) : between(random, 2, 90)
      outages.push({ at, until: at + minutes * 60_000, reason: pick(random, ['lost', 'keepalive']) })
    }
  }
  const spans: Span[] = []
  let up = from
  for (const { at, until, reason } of outages.sort((a, b) => a.at - b.at)) {
    if (at >= to) break
    if (at > up) spans.push({ from: Math.round(up), to: Math.round(at), reason })
    up = Math.max(up, until)
  }
  return up < to ? [...spans, { from: Math.round(up), to, reason: 'serverRestart' }] : spans
}

const keptOf = (values: StateValues): StateValues =>
  Object.fromEntries(telemetryNames.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])))

/** What a device would have said of these days: the life it will lead, walked through in large steps. */
export const pastOf = async (device: Remembered, seed: number, scenario: Scenario, now: number): Promise<Past> => {
  const { sn, type, model } = device
  const { chance, isFlapping } = temperOf(seed, sn, scenario)
  const spans = spansOf(device, createRandom(seedOf(seed, `${sn} past`)), isFlapping)
  let at = device.from
  const timers = { now: () => at, after: () => () => undefined }
  const hardware = createSimulatedHardware({
    sn,
    type,
    model,
    random: chance,
    timers,
    failing: 0,
    reboot: () => undefined,
    updates: { seed, mix: {}, leave: () => undefined },
  })
  const points: ({ ts: number } & StateValues)[] = []
  let last: Past['last']
  const events: DeviceEvent[] = []
  let countedNext = 0
  const isThere = () => spans.some(({ from, to }) => at >= from && at < to)
  for (let step = 0; at < device.to; step += 1, at += stepAt(at, now)) {
    const { values, events: happened = [] } = await hardware.measure()
    if (!isThere()) continue
    last = { ts: at, ...values }
    for (const event of happened) {
      if (event.type === 'appTraffic' && at < countedNext) continue
      if (event.type === 'appTraffic') countedNext = at + countedEvery
      events.push(event)
    }
    if (step % keptEvery === 0 || at > now - closeMs) points.push({ ts: at, ...keptOf(values) })
  }
  return { sn, hello: await hardware.describe(), spans, points, last, events }
}
