import { protocol } from '@campanile/contract'
import type { Logger } from 'pino'
import type { Happening, RefusalReason, RefusedAttempt } from '../../gateway/wire.ts'
import type { Db } from '../../platform/db.ts'
import type { CrashNotes } from './crash-notes.ts'
import type { DeviceMeters } from './device.meters.ts'
import { createEventAllowance } from './event-allowance.ts'
import { createEventTakers, type EventTakers } from './event-takers.ts'
import { appendEvents, type Untaken, writeClocks, writeHellos } from './ingest.store.ts'
import { type CachedState, createLatestCache } from './latest-cache.ts'
import type { Wrong } from './message.ts'
import { createOwnNames, type OwnNames, writeOwnHistory } from './own-values.ts'
import { countsOf, type DeviceReply, type FindConceal, type Plan, partsOf, placesOf, planOf } from './plan.ts'
import { appendPresence, writePresence } from './presence.store.ts'
import type { createPresence } from './presence.ts'
import { createRefusalLog } from './refusal-log.ts'
import { loadLatest, writeHistory, writeLatest } from './state-report.ts'
import { createStorageTrouble, inRoom, isUnstorable, RoomFault } from './storage-trouble.ts'

interface Deps {
  readonly db: Db
  readonly log: Logger
  readonly presence: Pick<ReturnType<typeof createPresence>, 'note'>
  readonly meters: DeviceMeters
  readonly notes: CrashNotes
  /** Keeps them in the transaction of their batch. */
  readonly answered: (tx: Db, replies: readonly DeviceReply[]) => Promise<void>
  /** The rooms that take events, in the same transaction. */
  readonly takers?: EventTakers
  readonly concealer?: FindConceal
  readonly refused: (refusals: readonly RefusedAttempt[]) => void
  /** Devices whose latest values are kept at hand. */
  readonly heldMax?: number
}

/** What is stored together, each with its place in the batch it came with. */
type Group = readonly (readonly [place: number, happening: Happening])[]
type Refuse = (place: number, reason: RefusalReason, wrong?: Wrong) => void

/** Enough to find the device's mistake. */
const namesInLine = 5
const retryMs = [100, 300, 1_000, 2_000] as const

/** The way of devices' messages into the database: a batch is one transaction, and only then the devices are told. */
export const createIngest = ({
  db,
  log,
  presence,
  meters,
  notes,
  answered,
  takers = createEventTakers(),
  concealer,
  refused,
  heldMax,
}: Deps) => {
  const cache = createLatestCache(heldMax)
  const ownNames = createOwnNames()
  const allowance = createEventAllowance(db)
  const trouble = createStorageTrouble(log, meters)
  const logRefusal = createRefusalLog(log, 'a message of a device was refused')
  const logLeftOut = createRefusalLog(log, 'values of a device’s own were left out of its message')
  const logUntaken = createRefusalLog(log, 'an event of a device was kept, and not taken by the room it is for')
  let stopped = false

  const write = async (plan: Plan, waiting: number) => {
    const held = await loadLatest(db, cache, plan.states)
    let rows: ReadonlyMap<number, CachedState> = new Map()
    let names: OwnNames = new Map()
    let coalesced = 0
    await db.transaction().execute(async (transaction) => {
      const tx = transaction as Db
      await writePresence(tx, [...plan.presences.values()])
      await appendPresence(tx, plan.entries)
      await writeHellos(tx, [...plan.hellos.values()])
      names = await ownNames.resolve(tx, plan.states)
      rows = await writeLatest(tx, held, plan.states, names)
      await writeClocks(tx, plan.clocks)
      await writeOwnHistory(tx, names, rows, plan.states)
      coalesced = await writeHistory(tx, held, plan.states, waiting)
      const added = await appendEvents(tx, plan.events)
      if (added.length > 0) await inRoom(tx, () => takers.hand(tx, plan.events, added))
      const replies = plan.replies.map(({ place: _place, ...reply }) => reply)
      if (replies.length > 0) await inRoom(tx, () => answered(tx, replies))
    })
    cache.keep(rows)
    ownNames.keep(names)
    tellLeftOut(plan, rows)
    for (const { sn, event, untaken } of plan.events) if (untaken) tellUntaken(sn, event.type, untaken)
    if (coalesced > 0) meters.coalesced(coalesced)
    for (const [kind, count] of Object.entries(countsOf(plan))) if (count > 0) meters.received(kind, count)
  }

  const tellUntaken = (sn: string, type: string, { reason, ...wrong }: Untaken) => {
    meters.untaken(reason)
    logUntaken(sn, `${reason} ${type}`, wrong)
  }

  /** Of no kind that is kept, or beyond what a device or its enterprise may have. */
  const tellLeftOut = ({ states }: Plan, rows: ReadonlyMap<number, CachedState>) => {
    for (const { id, sn, own, leftOut } of states) {
      if (!own && !leftOut) continue
      const kept = rows.get(id)?.own ?? {}
      const names = [...(leftOut ?? []), ...Object.keys(own ?? {}).filter((name) => !Object.hasOwn(kept, name))]
      if (names.length === 0) continue
      meters.leftOut(names.length)
      logLeftOut(sn, 'leftOut', { names: names.slice(0, namesInLine).map((name) => name.slice(0, protocol.nameMax)) })
    }
  }

  /** Until the database has it. A part that it will never take is found by halves and refused. */
  const insist = async (group: Group, plan: Plan, waiting: number, refuse: Refuse): Promise<void> => {
    const happenings = group.map(([, happening]) => happening)
    for (let attempt = 0; ; attempt += 1) {
      try {
        await notes.during(happenings, () => write(plan, waiting))
        return trouble.ended(group)
      } catch (err) {
        // Whether it was written is not known: the next attempt looks.
        cache.forget(plan.states.map(({ id }) => id))
        if (stopped) throw err
        if (isUnstorable(err)) {
          trouble.ended(group)
          return apart(group, plan, waiting, refuse, err)
        }
        trouble.began(group, err)
        await new Promise((resolve) => setTimeout(resolve, retryMs[Math.min(attempt, retryMs.length - 1)]))
      }
    }
  }

  const apart = async (group: Group, plan: Plan, waiting: number, refuse: Refuse, err: unknown): Promise<void> => {
    const parts = partsOf(plan)
    if (parts.length > 1) {
      for (const part of parts) await insist(group, part, waiting, refuse)
      return
    }
    const [told] = plan.events
    if (told?.data !== undefined && err instanceof RoomFault) {
      log.error({ err: err.cause, sn: told.sn, type: told.event.type }, 'a room could not take an event of a device')
      const kept = { ...told, data: undefined, untaken: { reason: 'roomFailed' as const } }
      return insist(group, { ...plan, events: [kept] }, waiting, refuse)
    }
    const places = placesOf(plan)
    log.error({ err, places: places.length }, 'what a device did or said cannot be stored')
    for (const place of places) refuse(place, 'unstorable')
  }

  const storeGroup = async (group: Group, waiting: number, refuse: Refuse) => {
    const happenings = group.map(([, happening]) => happening)
    const tellers = happenings.filter((each) => each.what === 'message' && each.kind === 'event')
    // Whoever cannot be asked about is counted alone; what they say is waited for below.
    await allowance.know(new Set(tellers.map(({ deviceId }) => deviceId))).catch(() => undefined)
    const plan = await notes.during(happenings, async () =>
      planOf(group, presence, refuse, allowance, concealer, takers),
    )
    await insist(group, plan, waiting, refuse)
  }

  return {
    /** Resolves once everything is on disk; answers the places of what was refused. */
    store: async (happenings: readonly Happening[], waiting: number): Promise<number[]> => {
      const began = performance.now()
      const faulty = new Set<number>()
      const refusals: RefusedAttempt[] = []
      const refuse: Refuse = (place, reason, wrong) => {
        const happening = happenings[place]
        if (happening?.what !== 'message') return
        const { sn, address, kind } = happening
        faulty.add(place)
        const message = { kind, ...wrong }
        refusals.push({ sn, address, reason, message })
        meters.dropped(reason)
        logRefusal(sn, reason, { address, ...message })
      }
      const group: [number, Happening][] = []
      const alone: [number, Extract<Happening, { what: 'message' }>][] = []
      for (const [place, happening] of happenings.entries()) {
        if (happening.what === 'message' && notes.isHarmful(happening)) refuse(place, 'harmful')
        else if (notes.isSuspect(happening)) alone.push([place, happening])
        else group.push([place, happening])
      }
      if (group.length > 0) await storeGroup(group, waiting, refuse)
      for (const [place, said] of alone) {
        await storeGroup([[place, said]], waiting, refuse)
        notes.survived(said)
      }
      if (refusals.length > 0) refused(refusals)
      meters.stored(performance.now() - began, waiting)
      return [...faulty].sort((a, b) => a - b)
    },
    heavyTellers: allowance.heavy,
    /** Why nothing can be stored at the moment. */
    get trouble() {
      return trouble.current
    },
    stop: () => {
      stopped = true
    },
  }
}
