import { readExactly } from '../source.ts'
import { readUint64 } from '../zip/end.ts'
import type { Zip } from '../zip/zip.ts'
import { proving, Unproven } from './fault.ts'

/** The part of an app's file between its entries and the directory where the newer signatures lie. */
export interface SigningBlock {
  /** Where the signed entries end. */
  readonly begin: number
  readonly values: ReadonlyMap<number, Buffer>
}

const magic = Buffer.from('APK Sig Block 42', 'latin1')
const footerLength = 24
const largestBlock = 16 * 1024 * 1024
const mostValues = 1000

export async function readBlock(zip: Zip): Promise<SigningBlock | undefined> {
  const { offset } = zip.end.directory
  if (offset < footerLength + 8) return undefined
  const footer = await readExactly(zip.source, offset - footerLength, footerLength)
  if (!footer.subarray(8).equals(magic)) return undefined
  const size = footer.readBigUInt64LE(0)
  if (size < BigInt(footerLength) || size > BigInt(Math.min(largestBlock, offset - 8)))
    throw new Unproven('blockBroken')
  const begin = offset - Number(size) - 8
  const block = await readExactly(zip.source, begin, Number(size) + 8)
  if (block.readBigUInt64LE(0) !== size) throw new Unproven('blockBroken')
  return { begin, values: proving('blockBroken', () => readValues(block.subarray(8, block.length - footerLength))) }
}

function readValues(bytes: Buffer): ReadonlyMap<number, Buffer> {
  const values = new Map<number, Buffer>()
  for (let at = 0; at < bytes.length; ) {
    if (at + 12 > bytes.length) throw new Unproven('blockBroken')
    const end = at + 8 + readUint64(bytes, at)
    const id = bytes.readUInt32LE(at + 8)
    if (end < at + 12 || end > bytes.length || values.size >= mostValues) throw new Unproven('blockBroken')
    // Of two signatures by the same scheme readers could choose either.
    if (values.has(id)) throw new Unproven('blockBroken')
    values.set(id, bytes.subarray(at + 12, end))
    at = end
  }
  return values
}
