import type { Duplex } from 'node:stream'
import { type Host, openSession, type Session } from './session.ts'
import { laneCount, type Refusal, type RefusalReason, type ToGateway, type ToServer } from './wire.ts'
import { type News, packBatch, type Said } from './wire-batch.ts'

/** Long enough that a busy moment becomes one transaction, short enough that nobody notices. */
const gatherMs = 20
const batchMax = 2_000
const batchBytesMax = 4 * 1024 * 1024
/** One is written while the next is on its way. */
const batchesUnstored = 2
/** Beyond either nobody is read until half of it is stored: the devices' own queues hold the rest. */
const waitingMax = 20_000
const waitingBytesMax = 32 * 1024 * 1024
const aliveCheckMs = 1_000
const refusalsMs = 500
/** Wrong credentials from one address in a minute; then it is not listened to until the minute is over. */
const failuresMax = 100
const failuresMs = 60_000
const refusalsMax = 1_000

/** A message knows who waits for word of it. */
type Entry = News | (Said & { readonly from: Session; readonly messageId: number; readonly qos: number })
interface Lane {
  readonly number: number
  queue: Entry[]
  unstored: number
}

/** All sessions of this process, and the way of what they say to the server and back. */
export const createBroker = (tell: (message: ToServer) => void) => {
  const every = new Set<Session>()
  const bySerial = new Map<string, Session>()
  const asking = new Map<number, Session>()
  const lanes: Lane[] = Array.from({ length: laneCount }, (_, number) => ({ number, queue: [], unstored: 0 }))
  const unstored = new Map<number, { lane: Lane; batch: Entry[] }>()
  const failures = new Map<string, number>()
  let refusals: Refusal[] = []
  let lastId = 0
  let waiting = 0
  let waitingBytes = 0
  let holding = false
  let gathering: NodeJS.Timeout | undefined

  const take = (lane: Lane): Entry[] => {
    let bytes = 0
    let count = 0
    for (const entry of lane.queue) {
      bytes += 'payload' in entry ? entry.payload.length : 0
      if (count === batchMax || (count > 0 && bytes > batchBytesMax)) break
      count += 1
    }
    const batch = lane.queue.splice(0, count)
    waiting -= count
    for (const entry of batch) waitingBytes -= 'payload' in entry ? entry.payload.length : 0
    return batch
  }
  const flushLane = (lane: Lane) => {
    while (lane.queue.length > 0 && lane.unstored < batchesUnstored) {
      const batch = take(lane)
      lastId += 1
      lane.unstored += 1
      unstored.set(lastId, { lane, batch })
      tell({ say: 'batch', id: lastId, lane: lane.number, happenings: packBatch(batch), waiting })
    }
  }
  const flush = () => {
    clearTimeout(gathering)
    gathering = undefined
    for (const lane of lanes) flushLane(lane)
    if (holding && waiting < waitingMax / 2 && waitingBytes < waitingBytesMax / 2) {
      holding = false
      for (const session of every) session.read()
    }
  }
  const add = (entry: Entry) => {
    lanes[entry.deviceId % laneCount]?.queue.push(entry)
    waiting += 1
    if ('payload' in entry) waitingBytes += entry.payload.length
    if (waiting >= waitingMax || waitingBytes >= waitingBytesMax) holding = true
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
    publish: (from, kind, payload, messageId, qos) => {
      const { deviceId, sn, address } = from
      add({ kind, deviceId, sn, address, payload, at: Date.now(), from, messageId, qos })
    },
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

  /** Each device is told of all it has in the batch at once. */
  const acknowledge = (batch: readonly Entry[], faulty: readonly number[]) => {
    const wrong = new Set(faulty)
    const told = new Set<Session>()
    for (const [place, entry] of batch.entries()) {
      if ('what' in entry) continue
      entry.from.stored(entry.messageId, entry.qos, !wrong.has(place))
      told.add(entry.from)
    }
    for (const session of told) session.acknowledge()
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
        const found = unstored.get(message.id)
        if (!found) return
        unstored.delete(message.id)
        found.lane.unstored -= 1
        // First the next batch, so that nobody waits while the devices are told.
        flush()
        return acknowledge(found.batch, message.faulty)
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
