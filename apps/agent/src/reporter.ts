import type { DeviceEvent, StateName, StateValues, UpKind } from '@campanile/contract/protocol'
import type { Backlog, Loss, Waiting } from './backlog.ts'
import type { Clock, Moment } from './clock.ts'
import type { Hardware } from './hardware/port.ts'
import type { Timers } from './timers.ts'

/** Of what waits, so much is told at once, then there is a pause: others want to be heard too. */
const atOnce = 10
const pauseMs = 250
const dayMs = 86_400_000

export interface ReporterParts {
  readonly hardware: Hardware
  readonly backlog: Backlog
  /** What is older has no place in a chart any more. */
  readonly keepDays: number
  readonly clock: Clock
  readonly timers: Timers
  readonly random: () => number
  readonly log: (line: string) => void
  readonly heartbeatSeconds: number
  readonly publish: (kind: UpKind, payload: string) => Promise<void>
  readonly isConnected: () => boolean
}

/** What a machine measures and what happens on it: told at once, or kept until somebody listens. */
export const createReporter = (parts: ReporterParts) => {
  const { hardware, backlog, clock, timers, random, log, publish, isConnected } = parts
  let { heartbeatSeconds } = parts
  /** What the server has taken on this connection. */
  let reported: StateValues = {}
  /** What was last kept, while nobody listens. */
  let kept: StateValues | undefined
  let running = false
  let looking = false
  /** Counts connections: what an older one owed is not waited for. */
  let line = 0
  /** Told, and not taken yet. */
  let underWay = false
  let draining = false
  let cancelLook = () => {}
  let cancelDrain = () => {}

  const keep = async (moment: Moment, values: StateValues) => {
    const changed = changesBetween(kept ?? reported, values)
    kept = values
    if (changed) await backlog.add({ kind: 'state', moment, body: changed })
  }

  /** Live values go out at once. While an answer is owing nobody knows whether the line still stands: the next are kept. */
  const hand = async (moment: Moment, values: StateValues) => {
    if (!isConnected() || underWay) return keep(moment, values)
    const changed = changesBetween(reported, values)
    if (!changed) return
    const mine = line
    underWay = true
    const time = clock.timeOf(moment)
    try {
      // A machine that does not know the time leaves it to the server.
      await publish('state', JSON.stringify({ ...dated(time), ...changed }))
      if (mine === line) reported = values
    } catch {
      await keep(moment, values)
    } finally {
      if (mine === line) underWay = false
    }
  }

  /** Only what differs from what the server has taken. */
  const look = async (): Promise<void> => {
    if (looking || !running) return
    looking = true
    cancelLook()
    try {
      const moment = clock.note(timers.now())
      const { values, events = [] } = await hardware.measure()
      for (const event of events) await tell(event)
      void hand(moment, values).catch((error) => log(`values could not be reported: ${error}`))
    } catch (error) {
      log(`values could not be read: ${error instanceof Error ? error.message : error}`)
    } finally {
      looking = false
    }
    if (running) cancelLook = timers.after(heartbeatSeconds * (900 + 200 * random()), () => void look())
    drain()
  }

  /** On disk before it is told, so that neither a kill nor a dead line can lose it; its id makes it one, however often told. */
  const tell = async (event: DeviceEvent): Promise<void> => {
    const { ts, ...body } = event
    const waiting = { kind: 'event', moment: clock.note(ts), body } as const
    const isBehind = backlog.size > 0
    await backlog.add(waiting)
    if (!isConnected()) return
    if (isBehind) void send(waiting).catch(() => undefined)
    drain()
  }

  /** False when nobody wants it any more: too old, or measured nobody knows when. An event counts also without its time. */
  const send = async ({ kind, moment, body }: Waiting): Promise<boolean> => {
    const time = clock.timeOf(moment)
    const oldest = (clock.known() ?? 0) - parts.keepDays * dayMs
    if (time === undefined ? kind === 'state' : time < oldest) return false
    await publish(kind, JSON.stringify({ ...dated(time), ...body }))
    return true
  }

  const tellLoss = async ({ states, events }: Loss) => {
    const now = clock.now()
    const text = `Not all could be kept while the server was out of reach: ${states} measurements and ${events} events are lost.`
    const id = `backlogLost-${states}-${events}-${Math.floor(now / dayMs)}`
    const event = { id, ts: now, type: 'backlogLost', level: 'minor', text, data: { states, events } }
    await publish('event', JSON.stringify(event))
    await backlog.forgive({ states, events })
  }
  const waits = () => backlog.size + backlog.lost.states + backlog.lost.events > 0

  /** In order, a few at a time; what the server has not taken stays. */
  const drain = (): void => {
    if (draining || !isConnected() || !running || !waits()) return
    const mine = line
    draining = true
    cancelDrain()
    const round = async () => {
      const { lost } = backlog
      if (lost.states + lost.events > 0) await tellLoss(lost)
      const { waiting, taken } = await backlog.first(atOnce)
      const told = await Promise.all(waiting.map(send))
      if (waiting.length > 0) await taken(countOf(waiting.filter((_, at) => !told[at])))
    }
    round()
      .catch(() => undefined) // The connection ended; the next one goes on.
      .finally(() => {
        if (mine !== line) return
        draining = false
        if (waits()) cancelDrain = timers.after(pauseMs * (1 + random()), drain)
      })
  }

  return {
    look,
    tell,
    setHeartbeat: (seconds: number) => {
      heartbeatSeconds = seconds
    },
    start: () => {
      running = true
    },
    stop: () => {
      running = false
      cancelLook()
      cancelDrain()
    },
    /** Everything anew, changed or not; live values first, then what waits. */
    opened: async () => {
      reported = {}
      kept = undefined
      await look()
      drain()
    },
    /** The server is told every value again. */
    anew: async () => {
      reported = {}
      await look()
    },
    closed: () => {
      line += 1
      underWay = false
      draining = false
      cancelDrain()
    },
  }
}

const dated = (time: number | undefined) => (time === undefined ? {} : { ts: time })

const countOf = (all: readonly Waiting[]): Loss => {
  const states = all.filter(({ kind }) => kind === 'state').length
  return { states, events: all.length - states }
}

/** Undefined when there is nothing new to say. */
const changesBetween = (before: StateValues, now: StateValues): StateValues | undefined => {
  const names = Object.keys(now) as StateName[]
  const changed = names.filter((name) => now[name] !== before[name])
  return changed.length === 0 ? undefined : Object.fromEntries(changed.map((name) => [name, now[name]]))
}
