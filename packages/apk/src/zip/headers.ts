import { Refusal } from '../refusal.ts'
import { readExactly, readingAhead, type Source } from '../source.ts'
import { encryptedFlags, findExtra, type Listed, type ZipEntry } from './directory.ts'
import { full32, readUint64, type ZipEnd } from './end.ts'

const signature = 0x04034b50
const fixedLength = 30
/** Sizes and checksum come after the content, because the one who wrote it did not know them before. */
const sizesFollow = 0x0008
const zip64Field = 0x0001
/** Most headers of an app's small files lie this close behind one another. */
const ahead = 4096

const methodNumbers: Readonly<Record<ZipEntry['method'], number>> = { stored: 0, deflated: 8 }

/** Compares an entry's own header with the directory and answers where its content begins. */
async function readHeader(source: Source, entry: Listed): Promise<number> {
  const fixed = await readExactly(source, entry.header, fixedLength)
  const nameLength = fixed.readUInt16LE(26)
  const extraLength = fixed.readUInt16LE(28)
  const rest = await readExactly(source, entry.header + fixedLength, nameLength + extraLength)
  const flags = fixed.readUInt16LE(6)
  const same =
    fixed.readUInt32LE(0) === signature &&
    (flags & encryptedFlags) === 0 &&
    fixed.readUInt16LE(8) === methodNumbers[entry.method] &&
    rest.subarray(0, nameLength).equals(entry.nameBytes) &&
    hasSameSizes(fixed, rest.subarray(nameLength), entry, (flags & sizesFollow) !== 0)
  if (!same) throw new Refusal('headerDiffers', entry.name)
  return entry.header + fixedLength + nameLength + extraLength
}

function hasSameSizes(fixed: Buffer, extra: Buffer, entry: Listed, mayBeZero: boolean): boolean {
  const crc32 = fixed.readUInt32LE(14)
  const sizes = [fixed.readUInt32LE(22), fixed.readUInt32LE(18)]
  if (sizes.includes(full32)) {
    const field = findExtra(extra, zip64Field)
    let at = 0
    for (const [which, size] of sizes.entries()) {
      if (size !== full32) continue
      if (!field || at + 8 > field.length) return false
      sizes[which] = readUint64(field, at)
      at += 8
    }
  }
  const isEqual = (value: number | undefined, listed: number) => value === listed || (mayBeZero && value === 0)
  return isEqual(sizes[0], entry.size) && isEqual(sizes[1], entry.packedSize) && isEqual(crc32, entry.crc32)
}

/**
 * Where the content of each entry begins. The first entry stands at the first byte, so the file is nothing else at the same
 * time, and no byte belongs to two entries or to the directory.
 */
export async function placeContents(
  source: Source,
  entries: readonly Listed[],
  end: ZipEnd,
): Promise<ReadonlyMap<string, number>> {
  const inOrder = [...entries].sort((a, b) => a.header - b.header)
  const headers = readingAhead(source, ahead)
  const begins = new Map<string, number>()
  let free = 0
  for (const entry of inOrder) {
    if (free === 0 && entry.header !== 0) throw new Refusal('leadingBytes')
    if (entry.header < free || entry.header + fixedLength > end.directory.offset)
      throw new Refusal('overlapping', entry.name)
    const begin = await readHeader(headers, entry)
    free = begin + entry.packedSize
    if (free > end.directory.offset) throw new Refusal('overlapping', entry.name)
    begins.set(entry.name, begin)
  }
  return begins
}
