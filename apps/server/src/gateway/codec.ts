import { generate, type Packet, parser } from 'mqtt-packet'
import { Malformed } from './frames.ts'

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

/** The first packet tells the version and must be CONNECT; a later one must not be. */
export const decode = (frame: Buffer, version: Version | undefined): Packet => {
  const isConnect = (frame[0] ?? 0) >> 4 === connect
  if (isConnect !== (version === undefined)) throw new Malformed()
  return version ? readers[version](frame) : readConnect(frame)
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
  const idEnd = topicEnd + (qos > 0 ? 2 : 0)
  const start = version === 5 ? idEnd + 1 : idEnd
  if (qos === 3 || start > frame.length || (version === 5 && frame[idEnd] !== 0)) return undefined
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
