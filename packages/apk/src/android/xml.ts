import { type Chunk, chunkTypes, readChunk, readChunks } from './chunks.ts'
import { noText, readStrings, type Strings } from './strings.ts'
import { type Value, valueTypes } from './values.ts'

export interface Element {
  readonly name: string
  /** How many elements it is in. */
  readonly depth: number
  /** An attribute of Android's by its number: its name may be missing or say something else. */
  attribute(id: number): Value | undefined
  /** An attribute without a namespace. */
  plain(name: string): Value | undefined
}

const deepest = 100
const attributeLength = 20

/** The elements of a binary XML file in their order. */
export function* readElements(bytes: Buffer): Generator<Element> {
  const root = readChunk(bytes, 0, bytes.length)
  if (root.type !== chunkTypes.xml) throw new RangeError('xml')
  let strings: Strings = () => undefined
  let ids: readonly number[] = []
  let depth = 0
  for (const chunk of readChunks(bytes, root.body, root.end)) {
    if (chunk.type === chunkTypes.strings) strings = readStrings(bytes, chunk.at, root.end)
    else if (chunk.type === chunkTypes.resourceMap) ids = readIds(bytes, chunk)
    else if (chunk.type === chunkTypes.endElement) depth--
    else if (chunk.type === chunkTypes.startElement) {
      yield readElement(bytes, chunk, depth, strings, ids)
      if (++depth > deepest) throw new RangeError('xml')
    }
  }
}

const readIds = (bytes: Buffer, chunk: Chunk) =>
  Array.from({ length: Math.floor((chunk.end - chunk.body) / 4) }, (_, at) => bytes.readUInt32LE(chunk.body + at * 4))

function readElement(bytes: Buffer, chunk: Chunk, depth: number, strings: Strings, ids: readonly number[]): Element {
  const first = chunk.body + bytes.readUInt16LE(chunk.body + 8)
  const step = bytes.readUInt16LE(chunk.body + 10)
  const count = bytes.readUInt16LE(chunk.body + 12)
  if (count > 0 && (step < attributeLength || first + step * count > chunk.end)) throw new RangeError('attributes')
  const places = Array.from({ length: count }, (_, index) => first + index * step)
  const valueAt = (at: number): Value => {
    const type = bytes.readUInt8(at + 15)
    const data = bytes.readUInt32LE(at + 16)
    return { type, data, text: type === valueTypes.string ? strings(data) : undefined }
  }
  const find = (fits: (at: number) => boolean) => {
    const at = places.find(fits)
    return at === undefined ? undefined : valueAt(at)
  }
  return {
    name: strings(bytes.readUInt32LE(chunk.body + 4)) ?? '',
    depth,
    attribute: (id) => find((at) => ids[bytes.readUInt32LE(at + 4)] === id),
    plain: (name) => find((at) => bytes.readUInt32LE(at) === noText && strings(bytes.readUInt32LE(at + 4)) === name),
  }
}
