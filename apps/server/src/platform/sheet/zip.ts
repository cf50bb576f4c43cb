import { pipeline } from 'node:stream'
import { crc32, createDeflateRaw } from 'node:zlib'

export interface ZipPart {
  readonly name: string
  readonly content: AsyncIterable<Buffer> | Iterable<Buffer>
}

/** The format without its 64-bit extension, which some spreadsheet programs cannot read. */
const largest = 0xffff_ffff
// Sizes follow the data (bit 3), names are UTF-8 (bit 11).
const flags = 0x0808
const deflated = 8
// 1980-01-01: the same content makes the same file.
const date = 0x0021

/** Writes an archive as it is read: nothing is kept but one line a part. */
export async function* zip(parts: AsyncIterable<ZipPart> | Iterable<ZipPart>): AsyncGenerator<Buffer> {
  const directory: Buffer[] = []
  let offset = 0
  for await (const { name, content } of parts) {
    const start = offset
    const label = Buffer.from(name, 'utf8')
    const header = record('I HHHHH IIIHH', [0x04034b50, 20, flags, deflated, 0, date, 0, 0, 0, label.length, 0])
    yield Buffer.concat([header, label])
    let crc = 0
    let size = 0
    let packed = 0
    const counted = async function* () {
      for await (const chunk of content) {
        crc = crc32(chunk, crc)
        size += chunk.length
        yield chunk
      }
    }
    const deflate = createDeflateRaw({ level: 4 })
    // An error of either end is thrown by the loop below.
    pipeline(counted, deflate, () => undefined)
    for await (const chunk of deflate as AsyncIterable<Buffer>) {
      packed += chunk.length
      yield chunk
    }
    yield record('I III', [0x08074b50, crc, packed, size])
    offset += header.length + label.length + packed + 16
    if (Math.max(offset, size) > largest) throw new RangeError('an archive of more than 4 GiB')
    directory.push(
      Buffer.concat([
        record('I HHHHHH III HHHHH II', [
          ...[0x02014b50, 20, 20, flags, deflated, 0, date, crc, packed, size],
          ...[label.length, 0, 0, 0, 0, 0, start],
        ]),
        label,
      ]),
    )
  }
  const index = Buffer.concat(directory)
  yield index
  yield record('I HHHH II H', [0x06054b50, 0, 0, directory.length, directory.length, index.length, offset, 0])
}

/** Little-endian numbers: H is two bytes, I is four. */
const record = (shape: string, values: readonly number[]): Buffer => {
  const kinds = shape.replaceAll(' ', '')
  const bytes = Buffer.alloc([...kinds].reduce((sum, kind) => sum + (kind === 'I' ? 4 : 2), 0))
  let at = 0
  for (const [index, kind] of [...kinds].entries()) {
    const value = values[index] ?? 0
    at = kind === 'I' ? bytes.writeUInt32LE(value, at) : bytes.writeUInt16LE(value, at)
  }
  return bytes
}
