import type { protocol } from '@campanile/contract'
import type { z } from 'zod'
import type { Happening, RefusalReason } from '../../gateway/wire.ts'
import type { EventAllowance } from './event-allowance.ts'
import type { EventTakers, ToldEvent } from './event-takers.ts'
import type { EventRow, Hello } from './ingest.store.ts'
import type { Value } from './latest.ts'
import { readMessage, type State, type Wrong } from './message.ts'
import type { createPresence, Presence, PresenceEntry } from './presence.ts'

export interface DeviceReply {
  readonly deviceId: number
  readonly sn: string
  readonly reply: z.output<typeof protocol.reply>
}

/** Where in its batch a message stood: what is refused is told by it. */
interface Placed {
  place: number
}
export type StateReport = Placed & {
  id: number
  sn: string
  seen: number
  state: State
  received: boolean
  own?: Readonly<Record<string, Value>> | undefined
  /** Names whose values are of no kind that is kept. */
  leftOut?: readonly string[] | undefined
}

/** A batch by what is to be written. */
export interface Plan {
  presences: Map<number, Presence>
  entries: PresenceEntry[]
  clocks: Map<number, number>
  hellos: Map<number, Placed & { id: number; seen: string; hello: Hello }>
  states: StateReport[]
  events: (Placed & ToldEvent)[]
  replies: (Placed & DeviceReply)[]
}

const emptyPlan = (): Plan => ({
  presences: new Map(),
  entries: [],
  clocks: new Map(),
  hellos: new Map(),
  states: [],
  events: [],
  replies: [],
})

const iso = (ms: number) => new Date(ms).toISOString()

/** The last word of a batch about a device, with the times of both ends where the batch holds them. */
const lastWord = (now: Presence, before: Presence | undefined): Presence => ({
  ...now,
  connectedAt: now.connectedAt ?? before?.connectedAt ?? null,
  address: now.address ?? before?.address ?? null,
  keepalive: now.keepalive ?? before?.keepalive ?? null,
  disconnectedAt: now.disconnectedAt ?? before?.disconnectedAt ?? null,
  reason: now.reason ?? before?.reason ?? null,
})

/** Takes out of a value what a device must not repeat; undefined for a device of which there is nothing to hide. */
export type FindConceal = (sn: string) => ((value: unknown) => unknown) | undefined

const discreet = <T>(sn: string, said: T, concealer: FindConceal): T => {
  const conceal = said && concealer(sn)
  return conceal ? (conceal(said) as T) : said
}
/** What of an event is in a device's own words. */
const wordsOf = ({ type, text, data }: EventRow['event']) => ({ type, ...(text && { text }), ...(data && { data }) })

const textsOf = (value: unknown, conceal: (value: unknown) => unknown): unknown => {
  if (typeof value === 'string') return conceal(value)
  if (Array.isArray(value)) return value.map((each) => textsOf(each, conceal))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, textsOf(each, conceal)]))
}
/** The same for what the contract names: its texts alone, so that numbers stay numbers. */
const discreetTexts = <T>(sn: string, said: T, concealer: FindConceal): T => {
  const conceal = concealer(sn)
  return conceal ? (textsOf(said, conceal) as T) : said
}

export const planOf = (
  happenings: readonly (readonly [place: number, happening: Happening])[],
  presence: Pick<ReturnType<typeof createPresence>, 'note'>,
  refuse: (place: number, reason: RefusalReason, wrong?: Wrong) => void,
  allowance: Pick<EventAllowance, 'take'>,
  concealer: FindConceal = () => undefined,
  takers: Pick<EventTakers, 'read'> = { read: () => undefined },
): Plan => {
  const plan = emptyPlan()
  const tell = (told: Placed & ToldEvent) => {
    const read = takers.read(told.event)
    if (!read) plan.events.push(told)
    else if ('data' in read) plan.events.push({ ...told, data: read.data })
    else plan.events.push({ ...told, untaken: { reason: 'wrongData', ...read.wrong } })
  }
  for (const [place, happening] of happenings) {
    const { deviceId: id, sn, at } = happening
    if (happening.what !== 'message') {
      const { presence: now, entry } = presence.note(
        happening.what === 'online'
          ? happening
          : { ...happening, detail: discreetTexts(sn, happening.detail, concealer) },
      )
      plan.presences.set(id, lastWord(now, plan.presences.get(id)))
      if (entry) plan.entries.push(entry)
      continue
    }
    const message = readMessage(happening.kind, happening.text, at)
    if ('fault' in message) {
      if (message.clockOffset !== undefined) plan.clocks.set(id, message.clockOffset)
      refuse(place, message.fault, message.wrong)
      continue
    }
    switch (message.kind) {
      case 'state':
        plan.states.push({
          place,
          id,
          sn,
          seen: at,
          state: discreetTexts(sn, message.body, concealer),
          received: message.received,
          own: discreet(sn, message.own, concealer),
          leftOut: message.leftOut,
        })
        break
      case 'event':
        if (!allowance.take(id, happening.text?.length ?? 0)) {
          refuse(place, 'dailyAllowance')
          break
        }
        tell({
          place,
          id,
          sn,
          received: iso(at),
          event: { ...message.body, ...discreet(sn, wordsOf(message.body), concealer) },
          serverTime: message.received,
        })
        break
      case 'hello':
        plan.hellos.set(id, { place, id, seen: iso(at), hello: discreetTexts(sn, message.body, concealer) })
        if (message.body.ts !== undefined) plan.clocks.set(id, message.body.ts - at)
        break
      case 'reply':
        plan.replies.push({ place, deviceId: id, sn, reply: message.body })
    }
  }
  return plan
}

export const countsOf = ({ hellos, states, events, replies }: Plan) => ({
  hello: hellos.size,
  state: states.length,
  event: events.length,
  reply: replies.length,
})

const halves = <T>(items: readonly T[]): T[][] => {
  const middle = Math.ceil(items.length / 2)
  return [items.slice(0, middle), items.slice(middle)].filter((half) => half.length > 0)
}

/** The same in smaller parts: by what they are, and each of these in two. One part alone cannot be divided. */
export const partsOf = (plan: Plan): Plan[] => [
  ...halves([...plan.presences]).map((some) => ({ ...emptyPlan(), presences: new Map(some) })),
  ...halves(plan.entries).map((entries) => ({ ...emptyPlan(), entries })),
  ...halves([...plan.clocks]).map((some) => ({ ...emptyPlan(), clocks: new Map(some) })),
  ...halves([...plan.hellos]).map((some) => ({ ...emptyPlan(), hellos: new Map(some) })),
  ...halves(plan.states).map((states) => ({ ...emptyPlan(), states })),
  ...halves(plan.events).map((events) => ({ ...emptyPlan(), events })),
  ...halves(plan.replies).map((replies) => ({ ...emptyPlan(), replies })),
]

/** Where the messages of a plan stood. */
export const placesOf = ({ hellos, states, events, replies }: Plan): number[] =>
  [...hellos.values(), ...states, ...events, ...replies].map(({ place }) => place)
