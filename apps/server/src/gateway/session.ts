import { createHash } from 'node:crypto'
import type { Duplex } from 'node:stream'
import { commandReasons, protocol, serialMax, serialNumber } from '@campanile/contract'
import type { IConnackPacket, IConnectPacket, ISubscribePacket, Packet } from 'mqtt-packet'
import { acknowledgement, decode, encode, type Published, readPublish, type Version, versionOf } from './codec.ts'
import { createFrames, TooLarge, Violation } from './frames.ts'
import { createOutbox, type Outgoing } from './outbox.ts'
import {
  badAuthenticationMethod,
  connackCode,
  disconnectCode,
  packetTooLarge,
  subscriptionCode,
  unsupportedCode,
} from './reasons.ts'
import type { EndReason, RefusalReason, UpKind } from './wire.ts'

/** A CONNECT with its will is small; nobody unknown gets to send more. */
const connectMax = 8 * 1024
/** Payload, topic and properties. */
const packetMax = protocol.messageMaxBytes + 1024
/** What is still read to the end, so that it can be acknowledged as refused: before MQTT 5 nobody is told what fits. */
const readMax = 4 * protocol.messageMaxBytes
/** Messages of one device that wait for the database at once. */
const receiveMaximum = 100
/** Sustained and at once, of one device; a faster one is read more slowly, nothing is thrown away. */
const ratePerSecond = 200
const burst = 1_000
/** The same in bytes: what a device has kept during an outage passes at once, a flood only as fast as it can be stored. */
const bytesPerSecond = 64 * 1024
const bytesBurst = 32 * 1024 * 1024
export const bytesAfter = (left: number, seconds: number) => Math.min(bytesBurst, left + seconds * bytesPerSecond)
const lingerMs = 1_000
/** Bytes a device has not taken yet; one that does not read is not read either. */
const untakenMax = 64 * 1024

/** What a session needs of the broker it belongs to. */
export interface Host {
  now(): number
  /** Every session stops reading while the server does not keep up. */
  readonly holding: boolean
  /** Its CONNECT is whole: may it come in? */
  admit(session: Session): void
  /** The server's own, that looks whether somebody answers here. */
  isProbe(clientId: string, secret: string): boolean
  /** Answered by the session's `stored`. */
  publish(session: Session, kind: UpKind, payload: Buffer, messageId: number, qos: number): void
  listens(session: Session, listens: boolean): void
  left(session: Session, reason: EndReason, detail: string | null): void
  refused(sn: string, address: string, reason: RefusalReason): void
  /** Whether so many bytes of commands more may wait here, and that they do; fewer than none: that they no longer do. */
  mayQueue(bytes: number): boolean
  queued(bytes: number): void
}

export type Session = ReturnType<typeof openSession>
/** `asking`: its CONNECT is whole, and the server has not said yet whether it may come in. */
type Phase = 'new' | 'asking' | 'open' | 'closed'

const commandIdOf = ({ head }: Outgoing) => (JSON.parse(`${head}}`) as protocol.CommandMessage).id

const upKinds: ReadonlySet<string> = new Set(protocol.upKinds)
const isUpKind = (word: string): word is protocol.UpKind => upKinds.has(word)

/** A bye may be anything; only a short word of it is kept. */
const partingWords = (payload: Buffer | string): string | null => {
  try {
    const { reason } = protocol.bye.parse(JSON.parse(payload.toString()))
    return reason?.replace(/\p{C}/gu, '').slice(0, 128) || null
  } catch {
    return null
  }
}

/** One connection of one device: MQTT 3.1, 3.1.1 or 5 with the little of it that devices may use. */
export const openSession = (conn: Duplex, address: string, host: Host) => {
  const frames = createFrames()
  let version: Version | undefined
  let sn = ''
  let takesMax = Number.POSITIVE_INFINITY
  let will: string | null | undefined
  let detail: string | null = null
  let heard = host.now()
  let unstored = 0
  let tokens = burst
  let refilled = heard
  let waiting: NodeJS.Timeout | undefined
  let isHalted = false
  let upPrefix = ''
  let answers: Buffer[] | undefined

  /** False when the device has said that it does not take as much. */
  const write = (packet: Packet): boolean => {
    const bytes = encode(packet, version ?? 4)
    if (bytes.length > takesMax) return false
    if (conn.writable) conn.write(bytes)
    return true
  }
  const isClogged = () => conn.writableLength > untakenMax
  /** Told on its behalf and kept like its own word: the command has failed. */
  const undeliverable = (command: Outgoing) => {
    unstored += 1
    const answer: protocol.Reply = {
      id: commandIdOf(command),
      state: 'failed',
      error: commandReasons.tooLargeForDevice,
    }
    host.publish(session, 'reply', Buffer.from(JSON.stringify(answer)), 0, 0)
  }
  const outbox = createOutbox({ write, isClogged, undeliverable, mayQueue: host.mayQueue, queued: host.queued })

  const close = () => {
    session.phase = 'closed'
    clearTimeout(waiting)
    outbox.forget()
    conn.end()
    // What it still sends is passed over; left unread it would make the system cut the line before our last word is through.
    conn.resume()
    setTimeout(() => conn.destroy(), lingerMs).unref()
  }

  const end = (reason: EndReason, code = disconnectCode(reason)) => {
    if (session.phase === 'closed') return
    const wasOpen = session.phase === 'open'
    if (wasOpen && version === 5 && reason !== 'clean') write({ cmd: 'disconnect', reasonCode: code } as Packet)
    close()
    if (wasOpen) host.left(session, reason, detail)
  }

  const answerConnect = (code: number, properties?: IConnackPacket['properties']): boolean =>
    write({
      cmd: 'connack',
      sessionPresent: false,
      ...(version === 5 ? { reasonCode: code, ...(properties && { properties }) } : { returnCode: code }),
    })

  /** Shows somebody the door and remembers why. Before MQTT 5 there is no answer to what is no proper CONNECT. */
  const refuse = (reason: RefusalReason, code?: number) => {
    if (session.phase === 'closed') return
    host.refused(sn, address, reason)
    if (session.phase === 'open') return end('refused', code ?? disconnectCode(reason))
    const told = code ?? connackCode(reason, version ?? 4)
    if (version && told !== undefined) answerConnect(told)
    close()
  }

  const connect = (packet: IConnectPacket) => {
    const { clientId, username, password } = packet
    takesMax = packet.properties?.maximumPacketSize ?? takesMax
    session.secret = createHash('sha256')
      .update(password ?? '')
      .digest('binary')
    if (host.isProbe(clientId, session.secret)) {
      answerConnect(0)
      return close()
    }
    if (clientId.length > serialMax || !serialNumber.test(clientId)) return refuse('clientId')
    sn = clientId
    session.sn = sn
    upPrefix = protocol.upPrefix(sn)
    if (username !== sn || !password?.length) return refuse('userName')
    if (packet.properties?.authenticationMethod !== undefined) return refuse('protocol', badAuthenticationMethod)
    if (packet.will) {
      if (packet.will.topic !== protocol.upTopic(sn, 'bye') || packet.will.retain) return refuse('will')
      will = partingWords(packet.will.payload)
    }
    session.keepalive = packet.keepalive ?? 0
    outbox.window(packet.properties?.receiveMaximum)
    session.phase = 'asking'
    host.admit(session)
  }

  /** False when it takes so little that it cannot even be told. */
  const admitted = (id: number, under: string): boolean => {
    session.deviceId = id
    session.grant = under
    const properties = {
      sessionExpiryInterval: 0,
      receiveMaximum,
      maximumPacketSize: packetMax,
      topicAliasMaximum: 0,
      retainAvailable: false,
      wildcardSubscriptionAvailable: false,
      subscriptionIdentifiersAvailable: false,
      sharedSubscriptionAvailable: false,
    }
    if (!answerConnect(0, properties)) {
      refuse('tooLarge', packetTooLarge)
      return false
    }
    session.phase = 'open'
    return true
  }

  const publish = ({ topic, payload, qos, retain, messageId }: Published) => {
    if (retain) return refuse('retained')
    const kind = topic.startsWith(upPrefix) ? topic.slice(upPrefix.length) : ''
    if (!isUpKind(kind)) return refuse(kind === '' ? 'topic' : 'unknownTopic')
    unstored += 1
    const isTooLarge = payload.length > protocol.messageMaxBytes
    if (kind !== 'bye' && !isTooLarge) return host.publish(session, kind, payload, messageId, qos)
    // Acknowledged as refused: a device that was cut off for it would send it again for ever.
    if (isTooLarge) host.refused(session.sn, address, 'tooLarge')
    else detail = partingWords(payload)
    stored(messageId, qos, !isTooLarge)
    acknowledge()
  }

  /** Told by `acknowledge`, once for all that were stored together. */
  const stored = (messageId: number, qos: number, understood: boolean) => {
    unstored -= 1
    if (qos === 0) return
    answers ??= []
    answers.push(acknowledgement(messageId, qos, understood, version ?? 4))
  }
  const acknowledge = () => {
    const [first, ...more] = answers ?? []
    answers = undefined
    if (first && session.phase === 'open' && conn.writable)
      conn.write(more.length > 0 ? Buffer.concat([first, ...more]) : first)
    if (isHalted) read()
  }

  const subscribe = ({ messageId, subscriptions }: ISubscribePacket) => {
    const own = protocol.commandTopic(sn)
    // Told at CONNACK not to, an MQTT 5 client that does it nevertheless has broken the protocol.
    const unsupported = version === 5 && subscriptions.map(({ topic }) => unsupportedCode(topic)).find(Boolean)
    if (unsupported) return refuse('subscription', unsupported)
    const granted = subscriptions.map(({ topic, qos }) => {
      if (topic === own) return Math.min(qos, 1)
      host.refused(sn, address, 'subscription')
      return subscriptionCode(version ?? 4)
    })
    write({ cmd: 'suback', messageId: messageId as number, granted })
    const qos = granted[subscriptions.findLastIndex(({ topic }) => topic === own)]
    if (qos === undefined) return
    outbox.open(own, qos as protocol.CommandQos)
    host.listens(session, true)
  }

  const handle = (packet: Packet) => {
    switch (packet.cmd) {
      case 'connect':
        return connect(packet)
      case 'publish': {
        const { topic, qos, retain, messageId = 0 } = packet
        return publish({ topic, payload: Buffer.from(packet.payload), qos, retain, messageId })
      }
      case 'pubrel':
        write({ cmd: 'pubcomp', messageId: packet.messageId as number })
        return
      case 'puback':
        return outbox.acknowledged(packet.messageId as number)
      case 'subscribe':
        return subscribe(packet)
      case 'unsubscribe': {
        const own = packet.unsubscriptions.includes(protocol.commandTopic(sn))
        write({ cmd: 'unsuback', messageId: packet.messageId as number, granted: packet.unsubscriptions.map(() => 0) })
        if (own) host.listens(session, false)
        return
      }
      case 'pingreq':
        write({ cmd: 'pingresp' })
        return
      case 'disconnect':
        // 0x04: gone, but with its will.
        if (packet.reasonCode === 0x04) detail = will ?? null
        return end(packet.reasonCode === 0x04 ? 'will' : 'clean')
      default:
        return refuse('protocol')
    }
  }

  const readFirst = (frame: Buffer) => {
    const told = versionOf(frame)
    if ('unknown' in told) {
      version = told.unknown
      return refuse('protocol', version === 5 ? 0x84 : 0x01)
    }
    version = told.version
    handle(decode(frame, version, true))
  }

  /** Not while the database is behind, too much of this device waits already, or it speaks too fast. */
  const mayRead = (): boolean => {
    if (session.phase === 'new') return true
    if (session.phase !== 'open' || host.holding || unstored >= receiveMaximum || isClogged()) return false
    const now = host.now()
    const seconds = (now - refilled) / 1000
    tokens = Math.min(burst, tokens + seconds * ratePerSecond)
    session.bytesLeft = bytesAfter(session.bytesLeft, seconds)
    refilled = now
    if (tokens >= 1 && session.bytesLeft > 0) return true
    waiting ??= setTimeout(() => {
      waiting = undefined
      read()
    }, 50)
    return false
  }

  const read = (): void => {
    try {
      while (mayRead()) {
        const frame = frames.next(session.phase === 'new' ? connectMax : readMax)
        if (!frame) {
          if (isHalted) conn.resume()
          isHalted = false
          return
        }
        tokens -= 1
        session.bytesLeft -= frame.length
        if (!version) {
          readFirst(frame)
          continue
        }
        const published = readPublish(frame, version)
        if (published) publish(published)
        else handle(decode(frame, version, false))
      }
      if (session.phase === 'closed') return
      isHalted = true
      conn.pause()
    } catch (error) {
      if (error instanceof Violation) refuse('protocol', version === 5 ? error.code : undefined)
      else refuse(error instanceof TooLarge ? 'tooLarge' : 'malformed')
    }
  }

  // Plain fields, written as it goes on: behind functions they would cost every connection some hundred bytes more.
  const session = {
    address,
    sn: '',
    deviceId: 0,
    keepalive: 0,
    /** What it came in with, as a hash, and what that let it in under: both are asked about again when they change. */
    secret: '',
    grant: '',
    phase: 'new' as Phase,
    /** What it may still say at once; a device that comes back goes on where it was. */
    bytesLeft: bytesBurst,
    admitted,
    refuse,
    end,
    read,
    stored,
    acknowledge,
    send: outbox.send,
    /** Silent for one and a half of what it promised; not while it is we who do not read. */
    checkAlive: (now: number) => {
      if (session.phase === 'open' && session.keepalive > 0 && !isHalted && now - heard > session.keepalive * 1500)
        end('keepalive')
    },
  }
  conn.on('data', (chunk: Buffer) => {
    if (session.phase === 'closed') return
    heard = host.now()
    frames.push(chunk)
    read()
  })
  conn.on('drain', () => {
    outbox.pump()
    read()
  })
  conn.on('error', () => conn.destroy())
  conn.on('close', () => {
    if (will) detail ??= will
    end(will === undefined ? 'lost' : 'will')
  })
  return session
}
