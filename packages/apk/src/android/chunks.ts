import { Refusal, type RefusalReason } from '../refusal.ts'

/** Android's binary files are chunks in chunks: kind, length of the header, length of the whole. */
export interface Chunk {
  readonly type: number
  readonly at: number
  /** Where what follows the header begins. */
  readonly body: number
  readonly end: number
}

export const chunkTypes = {
  strings: 0x0001,
  table: 0x0002,
  xml: 0x0003,
  startElement: 0x0102,
  endElement: 0x0103,
  resourceMap: 0x0180,
  package: 0x0200,
  type: 0x0201,
} as const

const smallest = 8

export function readChunk(bytes: Buffer, at: number, within: number): Chunk {
  const headerSize = bytes.readUInt16LE(at + 2)
  const size = bytes.readUInt32LE(at + 4)
  if (headerSize < smallest || size < headerSize || at + size > within) throw new RangeError('chunk')
  return { type: bytes.readUInt16LE(at), at, body: at + headerSize, end: at + size }
}

/** The chunks of a range, one behind the other. */
export function* readChunks(bytes: Buffer, from: number, to: number): Generator<Chunk> {
  for (let at = from; at + smallest <= to; ) {
    const chunk = readChunk(bytes, at, to)
    yield chunk
    at = chunk.end
  }
}

/** Reading past the end of a buffer throws a RangeError: the file points where nothing is. */
export function refusing<T>(reason: RefusalReason, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof RangeError ? new Refusal(reason) : error
  }
}
