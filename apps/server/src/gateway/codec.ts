import { generate, type Packet, parser } from 'mqtt-packet'
import { Malformed, Violation } from './frames.ts'
import { checkProperties, property } from './properties.ts'

export type Version = 3 | 4 | 5
const connect = 1

/** One parser a version serves every connection: it is given whole packets only, so it keeps nothing between two. */
const createReader = (version?: Version) => {
  let found: Packet | undefined
  const make = () => {
    const made = parser(version ? { protocolVersion: version } : {})
    made.on('packet', (packet) => {
      found = packet
    })
    made.on('error', () => {
      found = undefined
    })
    return made
  }
  let reading = make()
  return (frame: Buffer): Packet => {
    found = undefined
    try {
      if (reading.parse(frame) === 0 && found) return found
    } catch {
      // Bytes that lie about their own length make it read past the end.
    }
    reading = make()
    throw new Malformed()
  }
}

const readConnect = createReader()
const readers = { 3: createReader(3), 4: createReader(4), 5: createReader(5) }

/** MQTT has three names for itself; `unknown` is one we do not speak, and which kind of answer it would understand. */
export const versionOf = (frame: Buffer): { version: Version } | { unknown: 4 | 5 } => {
  if ((frame[0] ?? 0) >> 4 !== connect) throw new Malformed()
  let at = 1
  while ((frame[at] ?? 0) & 0x80) at += 1
  const length = frame.readUInt16BE(at + 1)
  const name = frame.toString('latin1', at + 3, at + 3 + length)
  const level = frame[at + 3 + length]
  if (level === undefined || (name !== 'MQTT' && name !== 'MQIsdp')) throw new Malformed()
  if (name === 'MQIsdp' ? level === 3 : level === 4 || level === 5) return { version: level as Version }
  return { unknown: level > 5 ? 5 : 4 }
}

const hasIdentifier: ReadonlySet<Packet['cmd']> = new Set([
  'puback',
  'pubrec',
  'pubrel',
  'pubcomp',
  'subscribe',
  'unsubscribe',
])

/** What the library lets through and the standard does not. */
const check = (packet: Packet, frame: Buffer, version: Version) => {
  const seen = version === 5 ? checkProperties(frame) : undefined
  if (seen?.has(property.topicAlias)) throw new Violation(0x94)
  if (packet.cmd === 'subscribe' && seen?.has(property.subscriptionIdentifier)) throw new Violation(0xa1)
  const wantsIdentifier = hasIdentifier.has(packet.cmd) || (packet.cmd === 'publish' && packet.qos > 0)
  if (wantsIdentifier && !((packet.messageId ?? 0) > 0)) throw new Violation(0x82)
  if (packet.cmd === 'publish' && packet.dup && packet.qos === 0) throw new Malformed()
  if (packet.cmd === 'connect' && packet.will?.qos === (3 as number)) throw new Malformed()
  if (packet.cmd === 'subscribe' && packet.subscriptions.length === 0) throw new Violation(0x82)
  if (packet.cmd === 'unsubscribe' && packet.unsubscriptions.length === 0) throw new Violation(0x82)
}

/** The first packet is CONNECT; a later one must not be. */
export const decode = (frame: Buffer, version: Version, isFirst: boolean): Packet => {
  if (!isFirst && (frame[0] ?? 0) >> 4 === connect) throw new Violation(0x82)
  const packet = isFirst ? readConnect(frame) : readers[version](frame)
  check(packet, frame, version)
  return packet
}

export const encode = (packet: Packet, version: Version): Buffer => generate(packet, { protocolVersion: version })

export interface Published {
  readonly topic: string
  readonly payload: Buffer
  readonly qos: number
  readonly retain: boolean
  readonly messageId: number
}

/**
 * The packet that devices send all day, cut without the library, which takes several times as long. Anything out of the
 * ordinary (no such packet, properties, a length that does not fit) is undefined and left to the library's judgement. Topics
 * that may be published to are ASCII.
 */
export const readPublish = (frame: Buffer, version: Version): Published | undefined => {
  const first = frame[0] as number
  if (first >> 4 !== 3) return undefined
  let at = 1
  while ((frame[at] as number) & 0x80) at += 1
  const topicStart = at + 3
  const topicEnd = topicStart + (((frame[at + 1] as number) << 8) | (frame[at + 2] as number))
  const qos = (first >> 1) & 3
  const isRepeatOfNothing = qos === 0 && (first & 0x08) !== 0
  const idEnd = topicEnd + (qos > 0 ? 2 : 0)
  const start = version === 5 ? idEnd + 1 : idEnd
  if (qos === 3 || isRepeatOfNothing || start > frame.length || (version === 5 && frame[idEnd] !== 0)) return undefined
  const messageId = qos > 0 ? ((frame[topicEnd] as number) << 8) | (frame[topicEnd + 1] as number) : 0
  if (qos > 0 && messageId === 0) return undefined
  return {
    topic: frame.toString('latin1', topicStart, topicEnd),
    payload: frame.subarray(start),
    qos,
    retain: (first & 1) === 1,
    messageId,
  }
}

/** PUBACK or PUBREC; 0x99 says that the payload was not understood. It is not asked for again either way. */
export const acknowledgement = (messageId: number, qos: number, understood: boolean, version: Version): Buffer => {
  const first = qos === 1 ? 0x40 : 0x50
  if (version === 5 && !understood) return Buffer.from([first, 3, messageId >> 8, messageId & 0xff, 0x99])
  return Buffer.from([first, 2, messageId >> 8, messageId & 0xff])
}
