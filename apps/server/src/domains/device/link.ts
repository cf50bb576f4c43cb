import { type DeviceEventKind, deviceEventKinds, type EventData, protocol } from '@campanile/contract'
import { dataPaths } from '../../platform/data-folder.ts'
import type { Db } from '../../platform/db.ts'
import type { Services } from '../../services.ts'
import { admit } from './admission.ts'
import { createCrashNotes } from './crash-notes.ts'
import { createDeviceMeters } from './device.meters.ts'
import { createEventTakers, type TakeEvents } from './event-takers.ts'
import { createGatewayMeters } from './gateway.meters.ts'
import { trimEvents } from './ingest.store.ts'
import { createIngest } from './ingest.ts'
import type { DeviceReply, FindConceal } from './plan.ts'
import { findLeftOnline, settlePresence, sweepPresence, writeLost } from './presence.store.ts'
import { createPresence } from './presence.ts'
import { createRefusals } from './refusals.ts'

type Deps = Pick<Services, 'config' | 'db' | 'log' | 'signals' | 'gateway' | 'meters'>

/** What is said to one device beside the arguments. */
type Addressed = { readonly sn: string } & Omit<protocol.CommandMessage, 'args'>

/** Sent by the database when a credential or an organisation changes. */
const accessChannel = 'device_access'
const settleMs = 10_000
const askTogetherMs = 50
/** Licences run out at midnight and nobody says so. */
const askAllMs = 15 * 60_000
/** Devices come back within a minute of a restart, or did not survive it. */
const graceMs = 45_000
const sweepAgainMs = 2_000
const weighMs = 60_000

/** Devices as the rest of the server meets them: something can be sent, and they answer. */
export const createDevices = ({ config, db, log, signals, gateway, meters: register }: Deps) => {
  const replyListeners: ((tx: Db, replies: readonly DeviceReply[]) => Promise<void>)[] = []
  const connectedListeners: ((sn: string) => void)[] = []
  const shownListeners: (() => void)[] = []
  let findConceal: FindConceal = () => undefined
  const presence = createPresence()
  const meters = createDeviceMeters(register, () => presence.connectedIds().length)
  const timers = new Set<NodeJS.Timeout>()
  let sweep: NodeJS.Timeout | undefined
  let changed: string[] = []

  createGatewayMeters(register, gateway.health)
  const refusals = createRefusals({ db, log })
  const takers = createEventTakers()
  const notes = createCrashNotes(dataPaths(config.dataDir).messages, log)
  const ingest = createIngest({
    db,
    log,
    presence,
    meters,
    notes,
    refused: refusals.add,
    takers,
    concealer: (sn) => findConceal(sn),
    answered: async (tx, replies) => {
      for (const listener of replyListeners) await listener(tx, replies)
    },
  })
  const guarded = (what: string, work: () => Promise<unknown>) => work().catch((err) => log.error({ err }, what))

  /** Who was there before and has not come back is gone. Asked again until the database has heard it. */
  const sweepIn = (ms: number) => {
    clearTimeout(sweep)
    sweep = setTimeout(() => {
      sweepPresence(db, presence.connectedIds()).catch((err) => {
        log.error({ err }, 'presence could not be swept')
        sweepIn(sweepAgainMs)
      })
    }, ms)
  }

  const startedAt = new Date()
  let endedAt: Date | undefined
  /** Whose connections ended with a gateway, asked once they are known; told until the database has heard it. */
  const tellLost = async (whose: () => Promise<readonly number[]>, at: Date): Promise<void> => {
    try {
      await writeLost(db, await whose(), at)
    } catch (err) {
      log.error({ err }, 'lost connections could not be written down')
      const again = setTimeout(() => {
        timers.delete(again)
        void tellLost(whose, at)
      }, sweepAgainMs)
      timers.add(again)
    }
  }

  gateway.bind({
    admit: (asked) => admit(db, asked),
    store: async (happenings, waiting) => {
      const faulty = await ingest.store(happenings, waiting)
      if (happenings.some(({ what }) => what === 'online')) for (const listener of shownListeners) listener()
      return faulty
    },
    refused: refusals.add,
    listens: (sn) => {
      for (const listener of connectedListeners) listener(sn)
    },
    ended: () => {
      endedAt ??= new Date()
    },
    opened: () => {
      const connected = presence.connectedIds()
      presence.clear()
      void tellLost(endedAt ? async () => connected : () => findLeftOnline(db, startedAt), endedAt ?? startedAt)
      endedAt = undefined
      sweepIn(graceMs)
    },
  })

  signals.on(accessChannel, (sn) => {
    // After a gap nobody knows who was meant, and a change above devices names none: all are asked about.
    if (!sn) return gateway.askAgain()
    if (changed.length === 0)
      setTimeout(() => {
        gateway.askAgain(changed)
        changed = []
      }, askTogetherMs)
    changed.push(sn)
  })

  const settle = async () => {
    const settled = presence.settled(Date.now())
    if (settled.length > 0) await settlePresence(db, settled)
  }

  const weigh = async () => {
    const ids = ingest.heavyTellers()
    if (ids.length === 0) return
    for (const sn of await trimEvents(db, ids, protocol.eventBytesKept))
      log.warn({ sn }, 'a device has told more events than are kept; its oldest were removed')
  }

  return {
    /**
     * One text of arguments, as JSON, for all of them. Answers who listens: that it was handed over, not done, so whoever
     * sends keeps the command until the device has answered it. `qos` is what it goes out with at most.
     */
    send: (args: string, to: readonly Addressed[], qos?: protocol.CommandQos): ReadonlySet<string> =>
      gateway.send(
        args,
        to.map(({ sn, ...message }) => ({ sn, head: JSON.stringify(message).slice(0, -1) })),
        qos,
      ),
    /** Resolves when the gateway has read all that it was handed. */
    taken: gateway.taken,
    /**
     * A room takes a declared kind of event: called with those that came in together, in their order, in the transaction that
     * stores them, each event once however often its device tells it. A room that throws is given them again in ever smaller
     * parts; the one that it cannot take is kept as a plain event and marked, and so is one whose data is not as declared.
     */
    onEvent: <K extends DeviceEventKind>(kind: K, take: TakeEvents<EventData<K>>) => {
      if (!deviceEventKinds.includes(kind)) throw new Error(`${kind.type} is taken, but declared by no room`)
      takers.add(kind, take)
    },
    /**
     * Called with what came in together, in the transaction that stores the rest of it: either all of it is kept or nothing,
     * and then all is told again. A listener that throws is given them in ever smaller parts; the one alone is refused.
     */
    onReply: (listener: (tx: Db, replies: readonly DeviceReply[]) => Promise<void>) => {
      replyListeners.push(listener)
    },
    /** Who takes out of what a device says what it must not repeat. Asked of all that is said, so it must be quick. */
    concealBy: (find: FindConceal) => {
      findConceal = find
    },
    /** The device is there and has subscribed to its commands: the moment to send what waits for it. */
    onConnected: (listener: (sn: string) => void) => {
      connectedListeners.push(listener)
    },
    /** Somebody who asked to become a device and was refused: counted and shown like those who tried to connect. */
    refused: refusals.add,
    /** Why what devices say cannot be stored at the moment; undefined while it can. */
    get storageTrouble() {
      return ingest.trouble
    },
    /** Some that came are shown as online from now on: what was given for them meanwhile can be sent. */
    onShown: (listener: () => void) => {
      shownListeners.push(listener)
    },
    /** Whether devices are served; undefined where this server has no gateway. */
    gatewayHealth: gateway.health,
    notServedSince: (): string | null => {
      const health = gateway.health()
      return health && !health.up ? health.since.toISOString() : null
    },
    /** Where devices connect to. */
    get port() {
      return gateway.port
    },
    /** For tests that end it in ways it does not expect. */
    get gatewayPid() {
      return gateway.pid
    },
    start: () => {
      const missed = deviceEventKinds.filter(({ type }) => !takers.isTaken(type))
      if (missed.length > 0) throw new Error(`declared, but taken by no room: ${missed.map(({ type }) => type)}`)
      notes.start()
      timers.add(setInterval(() => gateway.askAgain(), askAllMs))
      timers.add(setInterval(() => guarded('events could not be weighed', weigh), weighMs))
      timers.add(setInterval(() => guarded('presence could not be settled', settle), settleMs))
    },
    stop: () => {
      ingest.stop()
      notes.stop()
      refusals.stop()
      clearTimeout(sweep)
      for (const timer of timers) clearInterval(timer)
    },
  }
}

export type Devices = ReturnType<typeof createDevices>
