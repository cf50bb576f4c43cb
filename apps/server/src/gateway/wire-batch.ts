import { isUtf8 } from 'node:buffer'
import type { Happening, UpKind } from './wire.ts'

/** What a message is kept as until it is on its way; everything else is rare and travels as JSON. */
export interface Said {
  readonly kind: UpKind
  readonly deviceId: number
  readonly sn: string
  readonly address: string
  readonly payload: Buffer
  readonly at: number
}
export type News = Exclude<Happening, { what: 'message' }>

const kinds: readonly UpKind[] = ['hello', 'state', 'event', 'reply']
const newsKind = kinds.length
/** Kind, device, time, lengths of serial number, address and payload. */
const headBytes = 1 + 6 + 6 + 1 + 1 + 4
const byteMax = 0xff

/**
 * One block of bytes for thousands of messages: structured cloning of as many objects took as long as storing them.
 * Serial numbers and addresses are ASCII.
 */
export const packBatch = (entries: readonly (Said | News)[]): Buffer => {
  const news = new Map<News, string>()
  let size = 0
  for (const entry of entries) {
    size += headBytes
    if ('what' in entry) {
      const text = JSON.stringify(entry)
      news.set(entry, text)
      size += Buffer.byteLength(text)
    } else size += entry.sn.length + entry.address.length + entry.payload.length
  }
  const bytes = Buffer.allocUnsafe(size)
  let at = 0
  for (const entry of entries) {
    if ('what' in entry) {
      const length = bytes.write(news.get(entry) ?? '', at + headBytes)
      bytes[at] = newsKind
      bytes.fill(0, at + 1, at + 15)
      bytes.writeUInt32LE(length, at + 15)
      at += headBytes + length
      continue
    }
    const { kind, deviceId, sn, address, payload } = entry
    if (sn.length > byteMax || address.length > byteMax) throw new RangeError('a serial number or address is too long')
    bytes[at] = kinds.indexOf(kind)
    bytes.writeUIntLE(deviceId, at + 1, 6)
    bytes.writeUIntLE(entry.at, at + 7, 6)
    bytes[at + 13] = sn.length
    bytes[at + 14] = address.length
    bytes.writeUInt32LE(payload.length, at + 15)
    at += headBytes
    at += bytes.write(sn, at, 'latin1')
    at += bytes.write(address, at, 'latin1')
    payload.copy(bytes, at)
    at += payload.length
  }
  return bytes
}

/** Bytes that are no UTF-8 become this mark, which a device may also have written itself. */
const replacement = '\ufffd'
const textOf = (bytes: Buffer, start: number, end: number): string | undefined => {
  const text = bytes.toString('utf8', start, end)
  return text.includes(replacement) && !isUtf8(bytes.subarray(start, end)) ? undefined : text
}

export const unpackBatch = (block: Uint8Array): Happening[] => {
  const bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength)
  const happenings: Happening[] = []
  for (let at = 0; at < bytes.length; ) {
    if (at + headBytes > bytes.length) throw new RangeError('the batch ends too early')
    const kind = kinds[bytes[at] as number]
    const snEnd = at + headBytes + (bytes[at + 13] as number)
    const start = snEnd + (bytes[at + 14] as number)
    const end = start + bytes.readUInt32LE(at + 15)
    if (end > bytes.length) throw new RangeError('the batch ends too early')
    if (!kind) happenings.push(JSON.parse(bytes.toString('utf8', start, end)) as News)
    else
      happenings.push({
        what: 'message',
        kind,
        deviceId: bytes.readUIntLE(at + 1, 6),
        at: bytes.readUIntLE(at + 7, 6),
        sn: bytes.toString('latin1', at + headBytes, snEnd),
        address: bytes.toString('latin1', snEnd, start),
        text: textOf(bytes, start, end),
      })
    at = end
  }
  return happenings
}
