import type { protocol } from '@campanile/contract'
import type { Logger } from 'pino'
import type { z } from 'zod'
import type { Happening, Refusal } from '../../gateway/wire.ts'
import type { Db } from '../../platform/db.ts'
import type { DeviceMeters } from './device.meters.ts'
import {
  appendEvents,
  appendPoints,
  type EventRow,
  findLatest,
  type Hello,
  writeHellos,
  writeStates,
} from './ingest.store.ts'
import { type Latest, merge } from './latest.ts'
import { readMessage } from './message.ts'
import { appendPresence, writePresence } from './presence.store.ts'
import type { createPresence, Presence, PresenceEntry } from './presence.ts'
import { type Point, pointOf } from './telemetry/codec.ts'

export interface DeviceReply {
  readonly deviceId: number
  readonly sn: string
  readonly reply: z.output<typeof protocol.reply>
}

interface Deps {
  readonly db: Db
  readonly log: Logger
  readonly presence: ReturnType<typeof createPresence>
  readonly meters: DeviceMeters
  /** Part of the transaction that stores the rest: only when it has committed is a device told that they arrived. */
  readonly answered: (tx: Db, replies: readonly DeviceReply[]) => Promise<void>
  readonly refused: (refusals: readonly Refusal[]) => void
}

/** Devices whose latest values are kept at hand. */
const heldMax = 50_000
/** With this many waiting, reports of one device within a batch become one point of its history. */
const busy = 5_000
const retryMs = [100, 300, 1_000, 2_000] as const

/** The database's way of saying "later". */
const isOutage = (error: unknown) => {
  const { code, message } = error as { code?: unknown; message?: string }
  return (
    (typeof code === 'string' && /^(08|53|57P|40|55P|ECONN|EPIPE|ENOENT|ETIMEDOUT)/.test(code)) ||
    /terminat|timeout|Connection/i.test(message ?? '')
  )
}

interface Plan {
  presences: Map<number, Presence>
  entries: PresenceEntry[]
  hellos: Map<number, { id: number; seen: string; hello: Hello }>
  states: { id: number; seen: number; state: { ts: number } & Record<string, unknown> }[]
  events: EventRow[]
  replies: DeviceReply[]
  faulty: number[]
}

export const createIngest = ({ db, log, presence, meters, answered, refused }: Deps) => {
  const held = new Map<number, Latest>()
  let stopped = false

  const sort = (happenings: readonly Happening[]): Plan => {
    const plan: Plan = {
      presences: new Map(),
      entries: [],
      hellos: new Map(),
      states: [],
      events: [],
      replies: [],
      faulty: [],
    }
    const faults: Refusal[] = []
    const counts = { hello: 0, state: 0, event: 0, reply: 0 }
    for (const [place, happening] of happenings.entries()) {
      const { deviceId: id, sn, at } = happening
      if (happening.what !== 'message') {
        if (happening.what === 'online') held.delete(id)
        const { presence: now, entry } = presence.note(happening)
        const before = plan.presences.get(id)
        plan.presences.set(id, {
          ...now,
          connectedAt: now.connectedAt ?? before?.connectedAt ?? null,
          address: now.address ?? before?.address ?? null,
          keepalive: now.keepalive ?? before?.keepalive ?? null,
          disconnectedAt: now.disconnectedAt ?? before?.disconnectedAt ?? null,
          reason: now.reason ?? before?.reason ?? null,
        })
        if (entry) plan.entries.push(entry)
        continue
      }
      const message = readMessage(happening.kind, happening.text, at)
      if ('fault' in message) {
        plan.faulty.push(place)
        faults.push({ sn, address: happening.address, reason: message.fault })
        meters.dropped(message.fault)
        continue
      }
      counts[message.kind] += 1
      if (message.kind === 'state') plan.states.push({ id, seen: at, state: message.body })
      else if (message.kind === 'hello') plan.hellos.set(id, { id, seen: iso(at), hello: message.body })
      else if (message.kind === 'event') plan.events.push({ id, received: iso(at), event: message.body })
      else plan.replies.push({ deviceId: id, sn, reply: message.body })
    }
    for (const [kind, count] of Object.entries(counts)) if (count > 0) meters.received(kind, count)
    if (faults.length > 0) refused(faults)
    return plan
  }

  /** The latest values of these devices, as the database has them. */
  const load = async (ids: readonly number[]) => {
    const missing = [...new Set(ids)].filter((id) => !held.has(id))
    if (missing.length > 0) {
      const found = await findLatest(db, missing)
      for (const id of missing) held.set(id, found.get(id) ?? {})
    }
    for (const id of held.keys()) {
      if (held.size <= heldMax) break
      held.delete(id)
    }
  }

  /** New values are worked out on copies: what is not committed must not be remembered. */
  const mergeStates = async (states: Plan['states']) => {
    await load(states.map(({ id }) => id))
    const next = new Map<number, { values: Latest; seen: number }>()
    for (const { id, seen, state } of states) {
      const row = next.get(id) ?? { values: { ...held.get(id) }, seen: 0 }
      merge(row.values, state)
      row.seen = Math.max(row.seen, seen)
      next.set(id, row)
    }
    return next
  }

  const points = (states: Plan['states'], waiting: number): { id: number; point: Point }[] => {
    const single: { id: number; point: Point }[] = []
    for (const { id, state } of states) {
      const point = pointOf(state)
      if (point) single.push({ id, point })
    }
    if (waiting < busy) return single
    const merged = new Map<number, { latest: Latest; ts: number }>()
    for (const { id, state } of states) {
      const one = merged.get(id) ?? { latest: {}, ts: 0 }
      merge(one.latest, state)
      one.ts = Math.max(one.ts, state.ts)
      merged.set(id, one)
    }
    const few = [...merged].flatMap(([id, { latest, ts }]) => {
      const values = Object.entries(latest).map(([name, each]) => [name, each?.v])
      const point = pointOf({ ...Object.fromEntries(values), ts })
      return point ? [{ id, point }] : []
    })
    meters.coalesced(single.length - few.length)
    return few
  }

  const write = async (plan: Plan, waiting: number) => {
    const merged = await mergeStates(plan.states)
    const rows = [...merged].map(([id, { values, seen }]) => ({ id, values, seen }))
    const history = points(plan.states, waiting)
    await db.transaction().execute(async (tx) => {
      const inside = tx as Db
      await writePresence(inside, [...plan.presences.values()])
      await appendPresence(inside, plan.entries)
      await writeHellos(inside, [...plan.hellos.values()])
      await writeStates(inside, rows)
      await appendPoints(inside, new Date(), history)
      await appendEvents(inside, plan.events)
      if (plan.replies.length > 0) await answered(inside, plan.replies)
    })
    for (const { id, values } of rows) held.set(id, values)
  }

  /** Until the database has it. A part that it will never take is found by halves and left out. */
  const insist = async (plan: Plan, waiting: number): Promise<void> => {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await write(plan, waiting)
      } catch (err) {
        held.clear()
        if (stopped) throw err
        if (!isOutage(err)) return apart(plan, waiting, err)
        log.warn({ err }, 'devices’ messages wait for the database')
        await new Promise((resolve) => setTimeout(resolve, retryMs[Math.min(attempt, retryMs.length - 1)]))
      }
    }
  }

  const apart = async (plan: Plan, waiting: number, err: unknown): Promise<void> => {
    const bare: Plan = {
      ...plan,
      presences: new Map(),
      entries: [],
      hellos: new Map(),
      states: [],
      events: [],
      replies: [],
    }
    const parts: Plan[] = [
      ...halves([...plan.presences]).map((some) => ({ ...bare, presences: new Map(some) })),
      ...halves(plan.entries).map((entries) => ({ ...bare, entries })),
      ...halves([...plan.hellos]).map((some) => ({ ...bare, hellos: new Map(some) })),
      ...halves(plan.states).map((states) => ({ ...bare, states })),
      ...halves(plan.events).map((events) => ({ ...bare, events })),
      ...halves(plan.replies).map((replies) => ({ ...bare, replies })),
    ]
    if (parts.length <= 1) {
      log.error({ err }, 'a device’s message cannot be stored')
      meters.dropped('unstorable')
      return
    }
    for (const part of parts) await insist(part, waiting)
  }

  return {
    store: async (happenings: readonly Happening[], waiting: number): Promise<number[]> => {
      const began = performance.now()
      const plan = sort(happenings)
      await insist(plan, waiting)
      meters.stored(performance.now() - began, waiting)
      return plan.faulty
    },
    stop: () => {
      stopped = true
    },
  }
}

const iso = (ms: number) => new Date(ms).toISOString()

const halves = <T>(items: readonly T[]): T[][] => {
  const middle = Math.ceil(items.length / 2)
  return [items.slice(0, middle), items.slice(middle)].filter((half) => half.length > 0)
}
