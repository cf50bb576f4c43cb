import type { Duplex } from 'node:stream'
import { networkOf } from '../platform/address.ts'
import type { Guest } from './doors.ts'
import { createKnocks } from './knocks.ts'
import { probeName } from './probe.ts'
import { bytesAfter, type Host, openSession, type Session } from './session.ts'
import { laneCount, type RefusalReason, type RefusedAttempt, type ToGateway, type ToServer } from './wire.ts'
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
/** Who waits longer for the server's word is told to come back later. */
const askPatienceMs = 10_000
/** Of those that are in, so many are asked about again at once: newcomers must not wait behind all of them. */
const doubtsAtOnce = 500
const refusalsMax = 1_000
/** Devices whose use of their bytes is remembered when they go. */
const spentMax = 50_000
/** Of commands that wait for slow devices, all together; what is beyond is asked for again later. */
const queuedBytesMax = 64 * 1024 * 1024

/** A message knows who waits for word of it. */
type Entry = News | (Said & { readonly from: Session; readonly messageId: number; readonly qos: number })
interface Asked {
  readonly session: Session
  readonly at: number
  /** It is in, and asked about again. */
  readonly isDoubt: boolean
  /** Something changed while it was asked about, so the answer may be older than the change. */
  isStale: boolean
}
interface Lane {
  readonly number: number
  queue: Entry[]
  unstored: number
}

/** All sessions of this process, and the way of what they say to the server and back. */
export const createBroker = (tell: (message: ToServer) => void) => {
  const every = new Set<Session>()
  const bySerial = new Map<string, Session>()
  const guests = new Map<Session, Guest>()
  const asking = new Map<number, Asked>()
  const doubted = new Set<Session>()
  const lanes: Lane[] = Array.from({ length: laneCount }, (_, number) => ({ number, queue: [], unstored: 0 }))
  const unstored = new Map<number, { lane: Lane; batch: Entry[] }>()
  const knocks = createKnocks(Date.now)
  const refusals = new Map<string, RefusedAttempt & { count: number }>()
  const spent = new Map<string, { left: number; at: number }>()
  let probeHash = ''
  let doubtsUnderWay = 0
  let lastId = 0
  let waiting = 0
  let waitingBytes = 0
  let holding = false
  let gathering: NodeJS.Timeout | undefined
  let queuedBytes = 0

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

  const ask = (session: Session, isDoubt = false) => {
    lastId += 1
    asking.set(lastId, { session, at: Date.now(), isDoubt, isStale: false })
    tell({ say: 'admit', id: lastId, sn: session.sn, secret: session.secret })
  }
  /** Counted; when there are too many different ones, by their network alone. */
  const refused = (sn: string, address: string, reason: RefusalReason) => {
    const keyOf = (who: string, from: string) => `${who}\n${from}\n${reason}`
    const isKept = refusals.has(keyOf(sn, address)) || refusals.size < refusalsMax
    const [who, from] = isKept ? [sn, address] : ['', networkOf(address)]
    const counted = refusals.get(keyOf(who, from))
    if (counted) counted.count += 1
    else if (refusals.size < refusalsMax * 2)
      refusals.set(keyOf(who, from), { sn: who, address: from, reason, count: 1 })
  }
  const turnAway = (session: Session, reason: RefusalReason) => {
    guests.get(session)?.turnedAway()
    session.refuse(reason)
  }

  const host: Host = {
    now: Date.now,
    get holding() {
      return holding
    },
    isProbe: (clientId, secret) => clientId === probeName && secret === probeHash,
    admit: (session) => {
      guests.get(session)?.asks()
      if (knocks.mayAsk(session.sn, session.address, session.secret)) ask(session)
      else turnAway(session, 'tooManyFailures')
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
      spent.delete(sn)
      spent.set(sn, { left: session.bytesLeft, at: Date.now() })
      for (const oldest of spent.keys()) {
        if (spent.size <= spentMax) break
        spent.delete(oldest)
      }
      add({ what: 'offline', deviceId, sn, reason, detail, at: Date.now() })
    },
    refused,
    mayQueue: (bytes) => queuedBytes + bytes <= queuedBytesMax,
    queued: (bytes) => {
      queuedBytes += bytes
    },
  }

  const letIn = (session: Session, deviceId: number, grant: string) => {
    const { sn, address, keepalive, secret } = session
    guests.get(session)?.known()
    guests.delete(session)
    if (!session.admitted(deviceId, grant)) return
    // One serial number, one connection: the newer one is the device, the older one a dead line or an impostor.
    bySerial.get(sn)?.end('takeover')
    const before = spent.get(sn)
    if (before) session.bytesLeft = bytesAfter(before.left, (Date.now() - before.at) / 1000)
    knocks.admitted(sn, secret)
    bySerial.set(sn, session)
    add({ what: 'online', deviceId, sn, address, keepalive, at: Date.now() })
    session.read()
  }

  /** Those in doubt, a few at a time. */
  const settleDoubts = () => {
    for (const session of doubted) {
      if (doubtsUnderWay >= doubtsAtOnce) return
      doubted.delete(session)
      if (session.phase !== 'open') continue
      doubtsUnderWay += 1
      ask(session, true)
    }
  }
  const askAgain = (sns: readonly string[] | undefined) => {
    const meant = sns && new Set(sns)
    for (const asked of asking.values()) if (!meant || meant.has(asked.session.sn)) asked.isStale = true
    for (const sn of meant ?? bySerial.keys()) {
      const session = bySerial.get(sn)
      if (session) doubted.add(session)
    }
    settleDoubts()
  }

  type Verdict = ToGateway & { say: 'admitted' | 'turnedAway' }
  /** It stays as long as it would be let in just as it was. */
  const judgeOpen = (session: Session, verdict: Verdict) => {
    if (verdict.say === 'admitted') {
      if (verdict.deviceId !== session.deviceId || verdict.grant !== session.grant) session.end('kicked')
    } else if (verdict.reason !== 'unavailable') session.end('kicked')
    // Nobody is sent away because the database is.
    else doubted.add(session)
  }
  const judgeGuest = (session: Session, verdict: Verdict, isStale: boolean) => {
    if (verdict.say === 'turnedAway') {
      knocks.refused(session.sn, session.address, session.secret, verdict.reason)
      turnAway(session, verdict.reason)
    } else if (isStale) ask(session)
    else letIn(session, verdict.deviceId, verdict.grant)
  }
  const judge = (verdict: Verdict) => {
    const asked = asking.get(verdict.id)
    if (!asked) return
    asking.delete(verdict.id)
    const { session, isDoubt, isStale } = asked
    if (!isDoubt) {
      // Gone while it was asked about, otherwise.
      if (session.phase === 'asking') judgeGuest(session, verdict, isStale)
      return
    }
    doubtsUnderWay -= 1
    if (isStale) doubted.add(session)
    if (session.phase === 'open') judgeOpen(session, verdict)
    // Without an answer the next check asks again, so that a server in trouble is not asked without end.
    if (verdict.say === 'admitted' || verdict.reason !== 'unavailable') settleDoubts()
  }
  /** The server has no answer; a late one is passed over. */
  const giveUp = (now: number) => {
    for (const [id, { at, session, isDoubt }] of asking) {
      if (now - at < askPatienceMs) return
      asking.delete(id)
      if (isDoubt) doubtsUnderWay -= 1
      if (isDoubt) doubted.add(session)
      else if (session.phase === 'asking') turnAway(session, 'unavailable')
    }
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
      case 'turnedAway':
        return judge(message)
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
        for (const { sn, head } of message.to) bySerial.get(sn)?.send({ head, args: message.args, qos: message.qos })
        return
      case 'askAgain':
        return askAgain(message.sns)
    }
  }

  const alive = setInterval(() => {
    const now = Date.now()
    for (const session of every) session.checkAlive(now)
    giveUp(now)
    settleDoubts()
  }, aliveCheckMs)

  return {
    hear,
    refused: (address: string, reason: RefusalReason) => refused('', address, reason),
    expectProbe: (hash: string) => {
      probeHash = hash
    },
    get connected() {
      return bySerial.size
    },
    /** Asked for by the server, so that nothing piles up before one that does not listen. */
    tellRefusals: () => {
      if (refusals.size > 0) tell({ say: 'refused', refusals: [...refusals.values()] })
      refusals.clear()
    },
    accept: (conn: Duplex, address: string, guest?: Guest) => {
      const session = openSession(conn, address, host)
      every.add(session)
      if (guest) guests.set(session, guest)
      conn.on('close', () => {
        every.delete(session)
        guests.delete(session)
      })
    },
    /** Devices come back to whoever answers next; that they were cut off is no news about them. */
    stop: () => {
      clearInterval(alive)
      clearTimeout(gathering)
      for (const session of every) session.end('serverRestart')
    },
  }
}

export type Broker = ReturnType<typeof createBroker>
