import { readChunk } from './chunks.ts'

/** The texts of a file by their number. They are decoded when they are asked for. */
export type Strings = (index: number) => string | undefined

const utf8Flag = 0x100
/** No text that is asked for here is as long as this, and all of them together are not as long as that. */
const longest = 32 * 1024
const longestTogether = 4 * 1024 * 1024
/** Where text is meant to be and is none. */
export const noText = 0xffffffff

export function readStrings(bytes: Buffer, at: number, within: number): Strings {
  const chunk = readChunk(bytes, at, within)
  const count = bytes.readUInt32LE(at + 8)
  const isUtf8 = (bytes.readUInt32LE(at + 16) & utf8Flag) !== 0
  const begin = at + bytes.readUInt32LE(at + 20)
  if (chunk.body + count * 4 > chunk.end) throw new RangeError('strings')
  const pool = bytes.subarray(0, chunk.end)
  const known = new Map<number, string>()
  let together = 0
  return (index) => {
    if (index >= count) return undefined
    const before = known.get(index)
    if (before !== undefined) return before
    const offset = begin + bytes.readUInt32LE(chunk.body + index * 4)
    const text = isUtf8 ? readUtf8(pool, offset) : readUtf16(pool, offset)
    together += text.length
    if (together > longestTogether) throw new RangeError('strings')
    known.set(index, text)
    return text
  }
}

function take(pool: Buffer, from: number, length: number): Buffer {
  if (length > longest || from + length > pool.length) throw new RangeError('string')
  return pool.subarray(from, from + length)
}

function readUtf16(pool: Buffer, at: number): string {
  const first = pool.readUInt16LE(at)
  const isLong = (first & 0x8000) !== 0
  const units = isLong ? (first & 0x7fff) * 0x10000 + pool.readUInt16LE(at + 2) : first
  return wellFormed(take(pool, at + (isLong ? 4 : 2), units * 2).toString('utf16le'))
}

/** The length comes twice, in characters and in bytes, each in one or two bytes. */
function readUtf8(pool: Buffer, at: number): string {
  const afterCharacters = at + ((pool.readUInt8(at) & 0x80) !== 0 ? 2 : 1)
  const first = pool.readUInt8(afterCharacters)
  const isLong = (first & 0x80) !== 0
  const length = isLong ? (first & 0x7f) * 0x100 + pool.readUInt8(afterCharacters + 1) : first
  return decode(take(pool, afterCharacters + (isLong ? 2 : 1), length))
}

const inHalves = /\xed([\xa0-\xaf])([\x80-\xbf])\xed([\xb0-\xbf])([\x80-\xbf])/g
const half = (first: string, second: string) =>
  0xd000 | ((first.charCodeAt(0) & 0x3f) << 6) | (second.charCodeAt(0) & 0x3f)

/** Android's tools write characters beyond the first 65,536 as two halves of three bytes each, which is no UTF-8. */
function decode(bytes: Buffer): string {
  const whole = bytes
    .toString('latin1')
    .replace(inHalves, (_, a: string, b: string, c: string, d: string) =>
      Buffer.from(String.fromCharCode(half(a, b), half(c, d))).toString('latin1'),
    )
  return Buffer.from(whole, 'latin1').toString('utf8')
}

/** Half a character is none: it becomes the sign for what cannot be shown. */
const wellFormed = (text: string) => Buffer.from(text, 'utf8').toString('utf8')
