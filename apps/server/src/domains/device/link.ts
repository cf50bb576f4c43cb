import type { protocol } from '@campanile/contract'
import type { Registry } from 'prom-client'
import type { Gateway } from '../../gateway/supervise.ts'
import type { Refusal } from '../../gateway/wire.ts'
import { dataPaths } from '../../platform/data-folder.ts'
import type { Db } from '../../platform/db.ts'
import type { Services } from '../../services.ts'
import { admit } from './admission.ts'
import { createCrashNotes } from './crash-notes.ts'
import { createDeviceMeters } from './device.meters.ts'
import { createIngest } from './ingest.ts'
import type { DeviceReply } from './plan.ts'
import { settlePresence, sweepPresence } from './presence.store.ts'
import { createPresence } from './presence.ts'
import { recordRefusals } from './refused.store.ts'

type Deps = Pick<Services, 'config' | 'db' | 'log' | 'signals'> & { gateway: Gateway; meters: Registry }

/** Sent by the database when a credential or an organisation changes. */
const accessChannel = 'device_access'
const settleMs = 10_000
const kickTogetherMs = 50
/** Devices come back within a minute of a restart, or did not survive it. */
const graceMs = 45_000
const sweepAgainMs = 2_000

/** Devices as the rest of the server meets them: something can be sent, and they answer. */
export const createDevices = ({ config, db, log, signals, gateway, meters: register }: Deps) => {
  const replyListeners: ((tx: Db, replies: readonly DeviceReply[]) => Promise<void>)[] = []
  const connectedListeners: ((sn: string) => void)[] = []
  const presence = createPresence()
  const meters = createDeviceMeters(register, () => presence.connectedIds().length)
  const timers = new Set<NodeJS.Timeout>()
  let sweep: NodeJS.Timeout | undefined
  let kicked: string[] = []

  const refused = (refusals: readonly Refusal[]) => {
    recordRefusals(db, refusals).catch((err) => log.warn({ err }, 'refused connections could not be written down'))
  }
  const notes = createCrashNotes(dataPaths(config.dataDir).messages, log)
  const ingest = createIngest({
    db,
    log,
    presence,
    meters,
    notes,
    refused,
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

  gateway.bind({
    admit: (asked) => admit(db, asked),
    store: ingest.store,
    refused,
    listens: (sn) => {
      for (const listener of connectedListeners) listener(sn)
    },
    opened: () => {
      presence.clear()
      sweepIn(graceMs)
    },
  })

  signals.on(accessChannel, (sn) => {
    // After a gap nobody knows who was meant: all are let go and asked again when they come back.
    const some = sn === undefined ? presence.connectedSerials() : [sn]
    if (some.length === 0) return
    if (kicked.length === 0)
      setTimeout(() => {
        gateway.kick(kicked)
        kicked = []
      }, kickTogetherMs)
    kicked.push(...some)
  })

  const settle = async () => {
    const settled = presence.settled(Date.now())
    if (settled.length > 0) await settlePresence(db, settled)
  }

  return {
    /** `sent` means handed over, not done: whoever sends keeps the command until the device has answered it. */
    send: (sn: string, message: protocol.CommandMessage): 'sent' | 'offline' =>
      gateway.send(sn, JSON.stringify(message)),
    /**
     * Called with what came in together, in the transaction that stores the rest of it: either all of it is kept or nothing,
     * and then all is told again. A listener that throws what the database would never take is given them one by one.
     */
    onReply: (listener: (tx: Db, replies: readonly DeviceReply[]) => Promise<void>) => {
      replyListeners.push(listener)
    },
    /** The device is there and has subscribed to its commands: the moment to send what waits for it. */
    onConnected: (listener: (sn: string) => void) => {
      connectedListeners.push(listener)
    },
    /** Why what devices say cannot be stored at the moment; undefined while it can. */
    get storageTrouble() {
      return ingest.trouble
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
      notes.start()
      timers.add(setInterval(() => guarded('presence could not be settled', settle), settleMs))
    },
    stop: () => {
      ingest.stop()
      notes.stop()
      clearTimeout(sweep)
      for (const timer of timers) clearInterval(timer)
    },
  }
}

export type Devices = ReturnType<typeof createDevices>
