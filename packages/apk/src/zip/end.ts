import { Refusal } from '../refusal.ts'
import { readExactly, type Source } from '../source.ts'

/** Where the directory lies and how much is in it, by the records at the end of the file. */
export interface ZipEnd {
  /** Where the record at the very end begins. */
  readonly offset: number
  readonly directory: { readonly offset: number; readonly size: number }
  readonly entries: number
  readonly zip64: boolean
}

const endSignature = 0x06054b50
const endLength = 22
const longestComment = 0xffff
const locatorSignature = 0x07064b50
const locatorLength = 20
const end64Signature = 0x06064b50
const end64Length = 56
export const full16 = 0xffff
export const full32 = 0xffffffff

/** A number of eight bytes; no file we read has a place for more than JavaScript counts exactly. */
export function readUint64(bytes: Buffer, at: number): number {
  const value = bytes.readBigUInt64LE(at)
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new Refusal('zip64Wrong')
  return Number(value)
}

/** Readers disagree about which of two possible ends counts, so there must be exactly one, with nothing behind it. */
function findEnd(tail: Buffer): number {
  const found: number[] = []
  for (let at = tail.length - endLength; at >= 0; at--) {
    const fits = tail.readUInt32LE(at) === endSignature && at + endLength + tail.readUInt16LE(at + 20) === tail.length
    if (fits) found.push(at)
  }
  if (found.length > 1) throw new Refusal('endAmbiguous')
  if (found[0] === undefined) throw new Refusal('notAnArchive')
  return found[0]
}

export async function readEnd(source: Source): Promise<ZipEnd> {
  if (source.size < endLength) throw new Refusal('notAnArchive')
  const tailLength = Math.min(source.size, endLength + longestComment)
  const tail = await readExactly(source, source.size - tailLength, tailLength)
  const at = findEnd(tail)
  const offset = source.size - tailLength + at
  const plain = {
    disk: tail.readUInt16LE(at + 4),
    directoryDisk: tail.readUInt16LE(at + 6),
    entriesHere: tail.readUInt16LE(at + 8),
    entries: tail.readUInt16LE(at + 10),
    size: tail.readUInt32LE(at + 12),
    offset: tail.readUInt32LE(at + 16),
  }
  const locator =
    offset >= locatorLength ? await readExactly(source, offset - locatorLength, locatorLength) : Buffer.alloc(4)
  const hasLocator = locator.readUInt32LE(0) === locatorSignature
  if (!hasLocator) {
    if (plain.disk !== 0 || plain.directoryDisk !== 0 || plain.entriesHere !== plain.entries)
      throw new Refusal('severalDisks')
    if (plain.size === full32 || plain.offset === full32) throw new Refusal('zip64Wrong')
    return checked({ offset, directory: plain, entries: plain.entries, zip64: false }, offset)
  }
  const { directoryEnd, ...large } = await readEnd64(source, locator, offset - locatorLength)
  const agrees = (small: number, full: number, value: number) => small === full || small === value
  const honest =
    agrees(plain.entries, full16, large.entries) &&
    agrees(plain.entriesHere, full16, large.entries) &&
    agrees(plain.size, full32, large.directory.size) &&
    agrees(plain.offset, full32, large.directory.offset) &&
    agrees(plain.disk, full16, 0) &&
    agrees(plain.directoryDisk, full16, 0)
  if (!honest) throw new Refusal('zip64Wrong')
  return checked({ ...large, offset, zip64: true }, directoryEnd)
}

async function readEnd64(source: Source, locator: Buffer, locatorOffset: number) {
  const offset = readUint64(locator, 8)
  const onOneDisk = locator.readUInt32LE(4) === 0 && locator.readUInt32LE(16) <= 1
  if (!onOneDisk || offset + end64Length > locatorOffset) throw new Refusal('zip64Wrong')
  const record = await readExactly(source, offset, end64Length)
  const ends = offset + 12 + readUint64(record, 4)
  if (record.readUInt32LE(0) !== end64Signature || ends !== locatorOffset) throw new Refusal('zip64Wrong')
  const entries = readUint64(record, 32)
  const whole = record.readUInt32LE(16) === 0 && record.readUInt32LE(20) === 0 && readUint64(record, 24) === entries
  if (!whole) throw new Refusal('zip64Wrong')
  const directory = { size: readUint64(record, 40), offset: readUint64(record, 48) }
  return { entries, directory, directoryEnd: offset }
}

/** The directory lies right before its end: a reader that counts back from there must come to the same place. */
function checked({ directory, ...end }: ZipEnd, directoryEnd: number): ZipEnd {
  const { offset, size } = directory
  if (offset + size !== directoryEnd) throw new Refusal('directoryBroken')
  return { ...end, directory: { offset, size } }
}
