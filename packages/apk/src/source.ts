import type { FileHandle } from 'node:fs/promises'
import { Refusal } from './refusal.ts'

/** Bytes that can be read anywhere without reading the rest: a file, a part of one, an object in a store. */
export interface Source {
  readonly size: number
  read(offset: number, length: number): Promise<Buffer>
}

/** Exactly these bytes, or the file is refused: it ends before what it says of itself. */
export async function readExactly(source: Source, offset: number, length: number): Promise<Buffer> {
  const within = Number.isSafeInteger(offset) && offset >= 0 && length >= 0 && offset + length <= source.size
  if (!within) throw new Refusal('truncated')
  if (length === 0) return Buffer.alloc(0)
  const bytes = await source.read(offset, length)
  if (bytes.length !== length) throw new Refusal('truncated')
  return bytes
}

const pieceSize = 64 * 1024

/** A range piece by piece, so that no more than a piece is in memory. */
export async function* readPieces(
  source: Source,
  offset: number,
  length: number,
  size = pieceSize,
): AsyncGenerator<Buffer> {
  for (let at = 0; at < length; at += size) yield await readExactly(source, offset + at, Math.min(size, length - at))
}

export const sourceOfBuffer = (bytes: Buffer): Source => ({
  size: bytes.length,
  read: async (offset, length) => bytes.subarray(offset, offset + length),
})

/** The caller opens the file and closes it. */
export async function sourceOfFile(file: FileHandle): Promise<Source> {
  const { size } = await file.stat()
  const read = async (offset: number, length: number) => {
    const bytes = Buffer.allocUnsafe(length)
    let filled = 0
    while (filled < length) {
      const { bytesRead } = await file.read(bytes, filled, length - filled, offset + filled)
      if (bytesRead === 0) break
      filled += bytesRead
    }
    return bytes.subarray(0, filled)
  }
  return { size, read }
}

/** A part of a source as a source of its own. */
export function windowOf(source: Source, offset: number, size: number): Source {
  if (offset < 0 || size < 0 || offset + size > source.size) throw new Refusal('truncated')
  return {
    size,
    read: (from, length) => source.read(offset + from, Math.max(0, Math.min(length, size - from))),
  }
}

/** Reads a little more than asked for and answers from it what lies close behind: headers of small entries do. */
export function readingAhead(source: Source, span: number): Source {
  let begin = 0
  let kept: Buffer = Buffer.alloc(0)
  return {
    size: source.size,
    async read(offset, length) {
      if (offset < begin || offset + length > begin + kept.length) {
        kept = await readExactly(source, offset, Math.min(Math.max(length, span), source.size - offset))
        begin = offset
      }
      return kept.subarray(offset - begin, offset - begin + length)
    },
  }
}
