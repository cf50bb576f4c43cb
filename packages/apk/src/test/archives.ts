import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateRawSync } from 'node:zlib'
import { Refusal, type RefusalReason } from '../refusal.ts'
import { type Source, sourceOfBuffer } from '../source.ts'

const fixtures = join(import.meta.dirname, '../../test/fixtures')
/** A file that Debian's tools made; `make-fixtures.sh` beside it says how. */
export const fixture = (name: string): Buffer => readFileSync(join(fixtures, name))

/** An entry as an honest program writes it, and whatever a test wants to be different in its two headers. */
export interface Part {
  readonly name: string | Buffer
  readonly content?: string | Buffer
  readonly deflate?: boolean
  readonly header?: Partial<HeaderFields>
  readonly listed?: Partial<HeaderFields & { attributes: number; offset: number; disk: number }>
}
interface HeaderFields {
  name: Buffer
  flags: number
  method: number
  crc32: number
  packedSize: number
  size: number
  extra: Buffer
}

function fixed(signature: number, fields: HeaderFields, before: number[], after: number[]): Buffer {
  const numbers = Buffer.alloc(26)
  numbers.writeUInt16LE(20, 0)
  numbers.writeUInt16LE(fields.flags, 2)
  numbers.writeUInt16LE(fields.method, 4)
  numbers.writeUInt32LE(fields.crc32, 10)
  numbers.writeUInt32LE(fields.packedSize, 14)
  numbers.writeUInt32LE(fields.size, 18)
  numbers.writeUInt16LE(fields.name.length, 22)
  numbers.writeUInt16LE(fields.extra.length, 24)
  const head = Buffer.alloc(4)
  head.writeUInt32LE(signature)
  return Buffer.concat([head, Buffer.from(before), numbers, Buffer.from(after), fields.name, fields.extra])
}

const bytesOf = (value: number, length: number) => [...Array(length).keys()].map((at) => (value >>> (at * 8)) & 0xff)

export interface Ending {
  readonly entries?: number
  readonly size?: number
  readonly offset?: number
  readonly disk?: number
  readonly comment?: Buffer
  /** Records between the directory and the end. */
  readonly between?: (directory: { offset: number; size: number }) => Buffer
}

/** Writes an archive. Nothing in it is checked: tests lie with it. */
export function archive(parts: readonly Part[], ending: Ending = {}, leading: Buffer = Buffer.alloc(0)): Buffer {
  const files: Buffer[] = [leading]
  const directory: Buffer[] = []
  let offset = leading.length
  for (const part of parts) {
    const content = Buffer.from(part.content ?? '')
    const packed = part.deflate ? deflateRawSync(content) : content
    const fields: HeaderFields = {
      name: Buffer.from(part.name),
      flags: 0,
      method: part.deflate ? 8 : 0,
      crc32: crc32(content),
      packedSize: packed.length,
      size: content.length,
      extra: Buffer.alloc(0),
    }
    const header = fixed(0x04034b50, { ...fields, ...part.header }, [], [])
    const { attributes = 0, offset: place = offset, disk = 0, ...listed } = part.listed ?? {}
    const after = [0, 0, ...bytesOf(disk, 2), 0, 0, ...bytesOf(attributes, 4), ...bytesOf(place, 4)]
    directory.push(fixed(0x02014b50, { ...fields, ...listed }, [20, 3], after))
    files.push(header, packed)
    offset += header.length + packed.length
  }
  const place = { offset, size: Buffer.concat(directory).length }
  const comment = ending.comment ?? Buffer.alloc(0)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(ending.disk ?? 0, 4)
  end.writeUInt16LE(ending.entries ?? parts.length, 8)
  end.writeUInt16LE(ending.entries ?? parts.length, 10)
  end.writeUInt32LE(ending.size ?? place.size, 12)
  end.writeUInt32LE(ending.offset ?? place.offset, 16)
  end.writeUInt16LE(comment.length, 20)
  return Buffer.concat([...files, ...directory, ending.between?.(place) ?? Buffer.alloc(0), end, comment])
}

/** The records of the larger kind of archive, right or wrong. */
export function records64(values: { entries: number; size: number; offset: number; recordAt: number }): Buffer {
  const record = Buffer.alloc(56 + 20)
  record.writeUInt32LE(0x06064b50, 0)
  record.writeBigUInt64LE(44n, 4)
  record.writeBigUInt64LE(BigInt(values.entries), 24)
  record.writeBigUInt64LE(BigInt(values.entries), 32)
  record.writeBigUInt64LE(BigInt(values.size), 40)
  record.writeBigUInt64LE(BigInt(values.offset), 48)
  record.writeUInt32LE(0x07064b50, 56)
  record.writeBigUInt64LE(BigInt(values.recordAt), 64)
  record.writeUInt32LE(1, 72)
  return record
}

/** A source that keeps count of what is read from it. */
export function counted(inner: Source): Source & { readonly largest: () => number; readonly total: () => number } {
  let largest = 0
  let total = 0
  return {
    size: inner.size,
    read(offset, length) {
      largest = Math.max(largest, length)
      total += length
      return inner.read(offset, length)
    },
    largest: () => largest,
    total: () => total,
  }
}

export const sourceOf = (bytes: Buffer): Source => sourceOfBuffer(bytes)

/** The reason something was refused for; whatever else is thrown goes on. */
export async function reasonOf(work: Promise<unknown>): Promise<RefusalReason | 'taken'> {
  try {
    await work
    return 'taken'
  } catch (error) {
    if (error instanceof Refusal) return error.reason
    throw error
  }
}
