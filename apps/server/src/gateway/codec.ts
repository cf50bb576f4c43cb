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
