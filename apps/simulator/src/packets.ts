/** The packets of MQTT 3.1.1 that a device sends and receives. */
export const kinds = { connack: 2, publish: 3, puback: 4, suback: 9 } as const

const text = (value: string): Buffer => {
  const bytes = Buffer.byteLength(value)
  const packed = Buffer.allocUnsafe(2 + bytes)
  packed.writeUInt16BE(bytes, 0)
  packed.write(value, 2)
  return packed
}
const number = (value: number): Buffer => Buffer.from([value >> 8, value & 255])

const packet = (first: number, ...parts: readonly Buffer[]): Buffer => {
  const head = [first]
  let length = parts.reduce((sum, part) => sum + part.length, 0)
  do {
    head.push((length & 127) | (length > 127 ? 128 : 0))
    length >>= 7
  } while (length > 0)
  return Buffer.concat([Buffer.from(head), ...parts])
}

const flags = { clean: 0x02, will: 0x04, willAtLeastOnce: 0x08, password: 0x40, username: 0x80 }

export const connectPacket = (options: {
  readonly clientId: string
  readonly username: string
  readonly password: string
  readonly keepaliveSeconds: number
  readonly will: { readonly topic: string; readonly payload: string }
}): Buffer =>
  packet(
    0x10,
    text('MQTT'),
    Buffer.from([4, Object.values(flags).reduce((sum, flag) => sum | flag)]),
    number(options.keepaliveSeconds),
    text(options.clientId),
    text(options.will.topic),
    text(options.will.payload),
    text(options.username),
    text(options.password),
  )
export const subscribePacket = (id: number, topic: string): Buffer =>
  packet(0x82, number(id), text(topic), Buffer.from([1]))
export const publishPacket = (id: number, topic: string, payload: string): Buffer =>
  packet(0x32, text(topic), number(id), Buffer.from(payload))
export const pubackPacket = (id: number): Buffer => packet(0x40, number(id))
export const pingPacket = Buffer.from([0xc0, 0])
export const disconnectPacket = Buffer.from([0xe0, 0])

/** The first whole packet, if there is one. */
export const firstPacket = (bytes: Buffer) => {
  let length = 0
  for (let at = 1; at <= 4; at += 1) {
    const byte = bytes[at]
    if (byte === undefined) return undefined
    length += (byte & 127) * 128 ** (at - 1)
    if (byte < 128) {
      const start = at + 1
      if (bytes.length < start + length) return undefined
      const first = bytes[0] ?? 0
      return { kind: first >> 4, flags: first & 15, body: bytes.subarray(start, start + length), end: start + length }
    }
  }
  throw new Error('the broker sent a packet without a length')
}
