import { Refusal } from '../refusal.ts'
import { readExactly, type Source } from '../source.ts'
import { full16, full32, readUint64, type ZipEnd } from './end.ts'
import type { ZipLimits } from './limits.ts'
import { placeOf, readName } from './names.ts'

export interface ZipEntry {
  readonly name: string
  readonly isFolder: boolean
  readonly method: 'stored' | 'deflated'
  /** As the directory says. It is compared with what comes, never believed. */
  readonly size: number
  readonly packedSize: number
  readonly crc32: number
  /** Where its own header lies. */
  readonly header: number
}

/** What the directory says beside the entry itself; its own header must say the same. */
export interface Listed extends ZipEntry {
  readonly nameBytes: Buffer
  readonly flags: number
}

const signature = 0x02014b50
const fixedLength = 46
const zip64Field = 0x0001
const methods: Readonly<Record<number, ZipEntry['method']>> = { 0: 'stored', 8: 'deflated' }
/** Encrypted, strongly encrypted, directory hidden. */
export const encryptedFlags = 0x2041
const utf8Flag = 0x0800
/** Kinds of file that Unix keeps in the upper half of the attributes: pipe, character device, block device, link, socket. */
const specialFiles = [0x1000, 0x2000, 0x6000, 0xa000, 0xc000]

/** One field of the extra data; what is no field, such as the zeros that align an app's files, is passed over. */
export function findExtra(extra: Buffer, id: number): Buffer | undefined {
  for (let at = 0; at + 4 <= extra.length; ) {
    const length = extra.readUInt16LE(at + 2)
    if (extra.readUInt16LE(at) === id) return extra.subarray(at + 4, at + 4 + length)
    at += 4 + length
  }
  return undefined
}

/** Sizes and place that do not fit in four bytes stand in an extra field, each only where its own four bytes are full. */
function widen(fields: { size: number; packedSize: number; header: number; disk: number }, extra: Buffer) {
  const field = findExtra(extra, zip64Field)
  const wide = { ...fields }
  let at = 0
  for (const key of ['size', 'packedSize', 'header'] as const) {
    if (fields[key] !== full32) continue
    if (!field || at + 8 > field.length) throw new Refusal('zip64Wrong')
    wide[key] = readUint64(field, at)
    at += 8
  }
  // A field nobody needs is there to tell other readers something else.
  if (field && at === 0 && !repeats(field, fields)) throw new Refusal('zip64Wrong')
  if (fields.disk === full16 && field && at + 4 <= field.length) wide.disk = field.readUInt32LE(at)
  if (wide.disk !== 0) throw new Refusal('severalDisks')
  return wide
}

const repeats = (field: Buffer, { size, packedSize }: { size: number; packedSize: number }) =>
  field.length >= 16 && readUint64(field, 0) === size && readUint64(field, 8) === packedSize

function readListed(bytes: Buffer, at: number, limits: ZipLimits): { entry: Listed; next: number } {
  if (at + fixedLength > bytes.length || bytes.readUInt32LE(at) !== signature) throw new Refusal('directoryBroken')
  const nameEnd = at + fixedLength + bytes.readUInt16LE(at + 28)
  const extraEnd = nameEnd + bytes.readUInt16LE(at + 30)
  const next = extraEnd + bytes.readUInt16LE(at + 32)
  if (next > bytes.length) throw new Refusal('directoryBroken')
  const nameBytes = bytes.subarray(at + fixedLength, nameEnd)
  const flags = bytes.readUInt16LE(at + 8)
  const name = readName(nameBytes, (flags & utf8Flag) !== 0, limits.levels)
  if ((flags & encryptedFlags) !== 0) throw new Refusal('encrypted', name)
  const method = methods[bytes.readUInt16LE(at + 10)]
  if (!method) throw new Refusal('methodUnknown', name)
  if (specialFiles.includes((bytes.readUInt32LE(at + 38) >>> 16) & 0xf000)) throw new Refusal('notAFile', name)
  const { size, packedSize, header } = widen(
    {
      size: bytes.readUInt32LE(at + 24),
      packedSize: bytes.readUInt32LE(at + 20),
      header: bytes.readUInt32LE(at + 42),
      disk: bytes.readUInt16LE(at + 34),
    },
    bytes.subarray(nameEnd, extraEnd),
  )
  const isFolder = name.endsWith('/')
  if ((method === 'stored' && size !== packedSize) || (isFolder && size !== 0)) throw new Refusal('sizeDiffers', name)
  const crc32 = bytes.readUInt32LE(at + 16)
  return { entry: { name, isFolder, method, size, packedSize, crc32, header, nameBytes, flags }, next }
}

export async function readDirectory(source: Source, end: ZipEnd, limits: ZipLimits): Promise<Listed[]> {
  if (end.entries > limits.entries) throw new Refusal('tooManyEntries')
  if (end.directory.size > limits.directory) throw new Refusal('directoryTooLarge')
  if (end.entries === 0) throw new Refusal('empty')
  const bytes = await readExactly(source, end.directory.offset, end.directory.size)
  const entries: Listed[] = []
  const places = new Set<string>()
  let at = 0
  while (at < bytes.length) {
    const { entry, next } = readListed(bytes, at, limits)
    const place = placeOf(entry.name)
    if (places.has(place)) throw new Refusal('nameTwice', entry.name)
    places.add(place)
    if (entries.push(entry) > end.entries) throw new Refusal('directoryBroken')
    at = next
  }
  if (entries.length !== end.entries) throw new Refusal('directoryBroken')
  return entries
}
