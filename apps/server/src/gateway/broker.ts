import type { Duplex } from 'node:stream'
import { type Host, openSession, type Session } from './session.ts'
import type { Happening, Refusal, RefusalReason, ToGateway, ToServer } from './wire.ts'

/** Long enough that a busy moment becomes one transaction, short enough that nobody notices. */
const gatherMs = 20
const batchMax = 2_000
const batchesUnstored = 2
/** Beyond this nobody is read until half of it is stored: the devices' own queues hold the rest. */
const waitingMax = 20_000
const aliveCheckMs = 1_000
const refusalsMs = 500
/** Wrong credentials from one address in a minute; then it is not listened to until the minute is over. */
const failuresMax = 100
const failuresMs = 60_000
const refusalsMax = 1_000

type Done = (understood: boolean) => void

/** All sessions of this process, and the way of what they say to the server and back. */
export const createBroker = (tell: (message: ToServer) => void) => {
  const every = new Set<Session>()
  const bySerial = new Map<string, Session>()
  const asking = new Map<number, Session>()
  const unstored = new Map<number, (Done | undefined)[]>()
  let queue: { happening: Happening; done?: Done }[] = []
  const failures = new Map<string, number>()
  let refusals: Refusal[] = []
  let lastId = 0
  let holding = false
  let gathering: NodeJS.Timeout | undefined

  const flush = () => {
    gathering = undefined
    while (queue.length > 0 && unstored.size < batchesUnstored) {
      const batch = queue.length > batchMax ? queue.slice(0, batchMax) : queue
      queue = queue.length > batchMax ? queue.slice(batchMax) : []
      lastId += 1
      unstored.set(
        lastId,
        batch.map(({ done }) => done),
      )
      const happenings = batch.map(({ happening }) => happening)
      tell({ say: 'batch', id: lastId, happenings, waiting: queue.length })
    }
    if (holding && queue.length < waitingMax / 2) {
      holding = false
      for (const session of every) session.read()
    }
  }
  const add = (happening: Happening, done?: Done) => {
    queue.push(done ? { happening, done } : { happening })
    if (queue.length >= waitingMax) holding = true
    gathering ??= setTimeout(flush, gatherMs)
  }

  const host: Host = {
    now: Date.now,
    get holding() {
      return holding
    },
    admit: (session, sn, secretHash) => {
      lastId += 1
      asking.set(lastId, session)
      tell({ say: 'admit', id: lastId, sn, secretHash })
    },
    publish: ({ deviceId, sn, address }, kind, payload, done) =>
      add({ what: 'message', deviceId, sn, address, kind, payload, at: Date.now() }, done),
    listens: (session, listens) => {
      if (bySerial.get(session.sn) === session) tell({ say: 'listens', sn: session.sn, listens })
    },
    left: (session, reason, detail) => {
      const { deviceId, sn } = session
      if (bySerial.get(sn) === session) {
        bySerial.delete(sn)
        // At once and not with the batch: the one that took the line over may listen before that is on its way.
        tell({ say: 'listens', sn, listens: false })
      }
      add({ what: 'offline', deviceId, sn, reason, detail, at: Date.now() })
    },
    refused: (sn, address, reason) => {
      if (refusals.length < refusalsMax) refusals.push({ sn, address, reason })
    },
  }

  const admitted = (session: Session, deviceId: number) => {
    // One serial number, one connection: the newer one is the device, the older one a dead line or an impostor.
    bySerial.get(session.sn)?.end('takeover')
    session.admitted(deviceId)
    bySerial.set(session.sn, session)
    const { sn, address, keepalive } = session
    add({ what: 'online', deviceId, sn, address, keepalive, at: Date.now() })
  }

  const hear = (message: ToGateway) => {
    switch (message.say) {
      case 'admitted':
      case 'turnedAway': {
        const session = asking.get(message.id)
        asking.delete(message.id)
        // Gone while it was asked about.
        if (!session || !every.has(session)) return
        if (message.say === 'admitted') admitted(session, message.deviceId)
        else {
          failures.set(session.address, (failures.get(session.address) ?? 0) + 1)
          session.refuse(message.reason)
        }
        return
      }
      case 'stored': {
        const dones = unstored.get(message.id) ?? []
        unstored.delete(message.id)
        for (const [place, done] of dones.entries()) done?.(!message.faulty.includes(place))
        return flush()
      }
      case 'send':
        return bySerial.get(message.sn)?.send(message.payload)
      case 'kick':
        for (const sn of message.sns) bySerial.get(sn)?.end('kicked')
    }
  }

  const alive = setInterval(() => {
    const now = Date.now()
    for (const session of every) session.checkAlive(now)
  }, aliveCheckMs)
  const telling = setInterval(() => {
    if (refusals.length > 0) tell({ say: 'refused', refusals })
    refusals = []
  }, refusalsMs)

  const forgiving = setInterval(() => failures.clear(), failuresMs)

  return {
    hear,
    refused: (address: string, reason: RefusalReason) => host.refused('', address, reason),
    accept: (conn: Duplex, address: string) => {
      if ((failures.get(address) ?? 0) >= failuresMax) {
        host.refused('', address, 'tooManyFailures')
        conn.destroy()
        return
      }
      const session = openSession(conn, address, host)
      every.add(session)
      conn.on('close', () => every.delete(session))
    },
    /** Devices come back to whoever answers next; that they were cut off is no news about them. */
    stop: () => {
      clearInterval(alive)
      clearInterval(forgiving)
      clearInterval(telling)
      clearTimeout(gathering)
      for (const session of every) session.end('serverRestart')
    },
  }
}

export type Broker = ReturnType<typeof createBroker>
