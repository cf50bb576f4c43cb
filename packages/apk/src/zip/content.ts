import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32, createInflateRaw } from 'node:zlib'
import { Refusal } from '../refusal.ts'
import { readPieces, type Source, windowOf } from '../source.ts'
import type { ZipEntry } from './directory.ts'
import type { Zip } from './zip.ts'

const isOfZlib = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('Z_')

async function* inflate(zip: Zip, entry: ZipEntry): AsyncGenerator<Buffer> {
  const packed = Readable.from(readPieces(zip.source, zip.contentAt(entry), entry.packedSize), { objectMode: false })
  const inflater = createInflateRaw({ chunkSize: 64 * 1024 })
  // What goes wrong in here comes out of the loop below as well; the pipeline only passes it on.
  const passed = pipeline(packed, inflater).catch(() => undefined)
  const { ratio, ratioFrom } = zip.limits
  let given = 0
  try {
    for await (const piece of inflater as AsyncIterable<Buffer>) {
      given += piece.length
      zip.count(piece.length)
      if (given > ratioFrom && given > ratio * inflater.bytesWritten) throw new Refusal('ratioTooHigh', entry.name)
      yield piece
    }
    // Bytes behind the end of what was packed are bytes that nobody has checked.
    if (inflater.bytesWritten !== entry.packedSize) throw new Refusal('sizeDiffers', entry.name)
  } catch (error) {
    throw isOfZlib(error) ? new Refusal('contentBroken', entry.name) : error
  } finally {
    packed.destroy()
    inflater.destroy()
    await passed
  }
}

/** The content of an entry, piece by piece. Length and checksum are compared as it comes, so read it to its end. */
export async function* openEntry(zip: Zip, entry: ZipEntry): AsyncGenerator<Buffer> {
  const pieces =
    entry.method === 'stored' ? readPieces(zip.source, zip.contentAt(entry), entry.size) : inflate(zip, entry)
  let length = 0
  let sum = 0
  for await (const piece of pieces) {
    length += piece.length
    if (length > entry.size) throw new Refusal('sizeDiffers', entry.name)
    sum = crc32(piece, sum)
    yield piece
  }
  if (length !== entry.size) throw new Refusal('sizeDiffers', entry.name)
  if (sum !== entry.crc32) throw new Refusal('contentBroken', entry.name)
}

/** A small entry as a whole; refused where it is larger than its reader has use for. */
export async function readEntry(zip: Zip, entry: ZipEntry, most: number): Promise<Buffer> {
  if (entry.size > most) throw new Refusal('tooLarge', entry.name)
  const pieces: Buffer[] = []
  for await (const piece of openEntry(zip, entry)) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** What is stored as it is can be read in its place. */
export const windowOfEntry = (zip: Zip, entry: ZipEntry): Source | undefined =>
  entry.method === 'stored' ? windowOf(zip.source, zip.contentAt(entry), entry.size) : undefined
