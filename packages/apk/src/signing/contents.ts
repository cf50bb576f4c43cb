import { createHash } from 'node:crypto'
import { readExactly, readPieces } from '../source.ts'
import type { Zip } from '../zip/zip.ts'
import type { ContentDigest } from './algorithms.ts'
import type { SigningBlock } from './block.ts'

const pieceSize = 1024 * 1024
const pieceMark = 0xa5
const topMark = 0x5a

const marked = (mark: number, value: number) => {
  const bytes = Buffer.alloc(5)
  bytes.writeUInt8(mark, 0)
  bytes.writeUInt32LE(value, 1)
  return bytes
}

/**
 * The digests of everything in the file but the signatures: the entries, the directory and the end, in pieces of a mebibyte.
 * The end counts as if the directory began where the signatures do. One pass, one piece in memory.
 */
export async function digestContents(
  zip: Zip,
  block: SigningBlock,
  kinds: readonly ContentDigest[],
): Promise<ReadonlyMap<ContentDigest, Buffer>> {
  const { directory, offset } = zip.end
  const end = Buffer.from(await readExactly(zip.source, offset, zip.source.size - offset))
  end.writeUInt32LE(block.begin, 16)
  const lengths = [block.begin, directory.size, end.length]
  const count = lengths.reduce((sum, length) => sum + Math.ceil(length / pieceSize), 0)
  const tops = kinds.map((kind) => ({ kind, hash: createHash(kind).update(marked(topMark, count)) }))
  const add = (piece: Buffer) => {
    const head = marked(pieceMark, piece.length)
    for (const { kind, hash } of tops) hash.update(createHash(kind).update(head).update(piece).digest())
  }
  for await (const piece of readPieces(zip.source, 0, block.begin, pieceSize)) add(piece)
  for await (const piece of readPieces(zip.source, directory.offset, directory.size, pieceSize)) add(piece)
  add(end)
  return new Map(tops.map(({ kind, hash }) => [kind, hash.digest()]))
}
