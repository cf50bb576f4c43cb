import { type Chunk, chunkTypes, readChunk, readChunks } from './chunks.ts'
import { type Config, readConfig } from './config.ts'
import { readStrings, type Strings } from './strings.ts'
import { isReference, type Value, valueTypes } from './values.ts'

/** One variant of a resource. */
export interface Variant {
  readonly config: Config
  readonly value: Value
}

/** Every variant of a resource, references followed. */
export type Resources = (id: number) => readonly Variant[]

export const noResources: Resources = () => []

const mostTypes = 100_000
/** A reference leads to a resource that may be one itself; nobody needs more of them than this. */
const mostFollowed = 32
const sparse = 0x01
const shortOffsets = 0x02
const complex = 0x0001
const compact = 0x0008
const noEntry = 0xffffffff

interface TypeChunk extends Chunk {
  readonly config: Config
}

export function readResources(bytes: Buffer): Resources {
  const table = readChunk(bytes, 0, bytes.length)
  if (table.type !== chunkTypes.table) throw new RangeError('table')
  let strings: Strings = () => undefined
  const types = new Map<number, TypeChunk[]>()
  let count = 0
  for (const chunk of readChunks(bytes, table.body, table.end)) {
    if (chunk.type === chunkTypes.strings) strings = readStrings(bytes, chunk.at, table.end)
    if (chunk.type !== chunkTypes.package) continue
    const packageId = bytes.readUInt32LE(chunk.at + 8) & 0xff
    for (const part of readChunks(bytes, chunk.body, chunk.end)) {
      if (part.type !== chunkTypes.type) continue
      if (++count > mostTypes) throw new RangeError('types')
      const key = packageId * 0x100 + bytes.readUInt8(part.at + 8)
      const same = types.get(key) ?? []
      same.push({ ...part, config: readConfig(bytes, part.at + 20, part.body) })
      types.set(key, same)
    }
  }
  const variantsOf = (id: number): Variant[] =>
    (types.get(id >>> 16) ?? []).flatMap((type) => {
      const value = readValue(bytes, type, id & 0xffff, strings)
      return value ? [{ config: type.config, value }] : []
    })
  return (id) => follow(id, variantsOf)
}

function follow(id: number, variantsOf: (id: number) => readonly Variant[]): readonly Variant[] {
  const met = new Set<number>()
  const walk = (next: number): readonly Variant[] => {
    if (met.has(next) || met.size >= mostFollowed) return []
    met.add(next)
    return variantsOf(next).flatMap((variant) => {
      if (!isReference(variant.value)) return [variant]
      const { language, country, script } = variant.config
      // What a reference says for one language stays that language's.
      const inner = walk(variant.value.data)
      return language === ''
        ? inner
        : inner.map(({ config, value }) => ({ value, config: { ...config, language, country, script } }))
    })
  }
  return walk(id)
}

/** Where the entry of a resource lies in a variant, if it is in it. */
function placeOf(bytes: Buffer, type: TypeChunk, index: number): number | undefined {
  const flags = bytes.readUInt8(type.at + 9)
  const count = bytes.readUInt32LE(type.at + 12)
  const begin = type.at + bytes.readUInt32LE(type.at + 16)
  const width = (flags & sparse) === 0 && (flags & shortOffsets) !== 0 ? 2 : 4
  if (type.body + count * width > type.end) throw new RangeError('entries')
  if ((flags & sparse) !== 0) {
    for (let at = type.body; at < type.body + count * 4; at += 4)
      if (bytes.readUInt16LE(at) === index) return begin + bytes.readUInt16LE(at + 2) * 4
    return undefined
  }
  if (index >= count) return undefined
  if (width === 2) {
    const short = bytes.readUInt16LE(type.body + index * 2)
    return short === 0xffff ? undefined : begin + short * 4
  }
  const offset = bytes.readUInt32LE(type.body + index * 4)
  return offset === noEntry ? undefined : begin + offset
}

function readValue(bytes: Buffer, type: TypeChunk, index: number, strings: Strings): Value | undefined {
  const at = placeOf(bytes, type, index)
  if (at === undefined) return undefined
  if (at + 8 > type.end) throw new RangeError('entry')
  const flags = bytes.readUInt16LE(at + 2)
  if ((flags & compact) !== 0) return asValue(flags >>> 8, bytes.readUInt32LE(at + 4), strings)
  if ((flags & complex) !== 0) return undefined
  const value = at + bytes.readUInt16LE(at)
  if (value + 8 > type.end) throw new RangeError('value')
  return asValue(bytes.readUInt8(value + 3), bytes.readUInt32LE(value + 4), strings)
}

const asValue = (type: number, data: number, strings: Strings): Value => ({
  type,
  data,
  text: type === valueTypes.string ? strings(data) : undefined,
})
