import { describe, expect, it, test } from 'vitest'
import { readResources } from './resources.ts'
import { readElements } from './xml.ts'

const u16 = (...values: number[]) => Buffer.from(Uint16Array.from(values).buffer)
const u32 = (...values: number[]) => Buffer.from(Uint32Array.from(values).buffer)
const chunk = (type: number, header: Buffer, ...body: Buffer[]) => {
  const content = Buffer.concat(body)
  return Buffer.concat([u16(type, 8 + header.length), u32(8 + header.length + content.length), header, content])
}

/** Texts in UTF-8; several numbers may stand for one text. */
function strings(texts: readonly (string | Buffer)[], numbers = texts.map((_, index) => index)): Buffer {
  const offsets: number[] = []
  const parts: Buffer[] = []
  let length = 0
  for (const text of texts) {
    const bytes = Buffer.from(text)
    const size = [0x80 | (bytes.length >> 8), bytes.length & 0xff]
    const part = Buffer.concat([Buffer.from([...size, ...size]), bytes, Buffer.from([0])])
    offsets.push(length)
    length += part.length
    parts.push(part)
  }
  const padding = Buffer.alloc((4 - (length % 4)) % 4)
  const table = u32(...numbers.map((number) => offsets[number] ?? 0))
  const header = u32(numbers.length, 0, 0x100, 28 + table.length, 0)
  return chunk(0x0001, header, table, ...parts, padding)
}

const none = 0xffffffff
const start = (name: number) => chunk(0x0102, u32(1, none), u32(none, name), u16(20, 20, 0, 0, 0, 0))
const end = (name: number) => chunk(0x0103, u32(1, none), u32(none, name))
const xml = (...parts: Buffer[]) => chunk(0x0003, Buffer.alloc(0), ...parts)

describe('elements', () => {
  it('are told with their depth', () => {
    const bytes = xml(strings(['a', 'b']), start(0), start(1), end(1), start(1), end(1), end(0))
    expect([...readElements(bytes)].map(({ name, depth }) => [name, depth])).toEqual([
      ['a', 0],
      ['b', 1],
      ['b', 1],
    ])
  })

  it('are not followed without end', () => {
    const nested = (depth: number) => xml(strings(['a']), ...Array<Buffer>(depth).fill(start(0)))
    expect([...readElements(nested(100))]).toHaveLength(100)
    expect(() => [...readElements(nested(101))]).toThrow(RangeError)
  })

  it('may not all share one long text', () => {
    const numbers = Array<number>(200).fill(0)
    const shared = strings(['x'.repeat(30_000)], numbers)
    const elements = numbers.flatMap((_, index) => [start(index), end(index)])
    expect([...readElements(xml(shared, ...elements.slice(0, 200)))]).toHaveLength(100)
    expect(() => [...readElements(xml(shared, ...elements))]).toThrow(RangeError)
  })

  it('have no text longer than anybody writes', () => {
    const text = (length: number) => xml(strings(['x'.repeat(length)]), start(0))
    expect([...readElements(text(32_000))]).toHaveLength(1)
    const tooLong = strings(['x'.repeat(32_767)])
    expect(() => [...readElements(xml(tooLong.subarray(0, 100), start(0)))]).toThrow(RangeError)
  })
})

/** A character as Android's tools write those beyond the first 65,536. */
const halves = Buffer.from([0xed, 0xa0, 0xbd, 0xed, 0xbb, 0xb3])

test.each<[string, Buffer, string]>([
  ['in two halves', halves, '🛳'],
  ['half a character', halves.subarray(0, 3), '\ufffd\ufffd\ufffd'],
  ['cut off', Buffer.from([0x41, 0xe6, 0xb8]), 'A\ufffd'],
])('a text %s is shown', (_, bytes, shown) => {
  const [element] = readElements(xml(strings([bytes]), start(0)))
  expect(element?.name).toBe(shown)
})

interface Entry {
  readonly type: number
  readonly data: number
}
const text = (data: number): Entry => ({ type: 3, data })
const reference = (index: number): Entry => ({ type: 1, data: 0x7f010000 + index })
const config = (language = '') => Buffer.concat([u32(28, 0), Buffer.from(language.padEnd(4, '\0')), Buffer.alloc(16)])

const offsetsOf = (sizes: number, flags: number) =>
  Array.from({ length: sizes }, (_, index) => index * (flags === 8 ? 8 : 16))

/** One variant of a kind of resource, in each of the ways Android's tools have written it. */
function variant(entries: readonly Entry[], way: 'plain' | 'sparse' | 'short' | 'compact', language?: string): Buffer {
  const isCompact = way === 'compact'
  const offsets = offsetsOf(entries.length, isCompact ? 8 : 0)
  const bodies = entries.map(({ type, data }) =>
    isCompact
      ? Buffer.concat([u16(0, 8 | (type << 8)), u32(data)])
      : Buffer.concat([u16(8, 0), u32(0), u16(8), Buffer.from([0, type]), u32(data)]),
  )
  const table = {
    plain: () => u32(...offsets),
    compact: () => u32(...offsets),
    sparse: () => Buffer.concat(offsets.map((offset, index) => u16(index, offset / 4))),
    short: () => u16(...offsets.map((offset) => offset / 4), ...(offsets.length % 2 ? [0xffff] : [])),
  }[way]()
  const flags = { plain: 0, compact: 0, sparse: 1, short: 2 }[way]
  const place = config(language)
  const begin = 20 + place.length + table.length
  const header = Buffer.concat([Buffer.from([1, flags, 0, 0]), u32(entries.length, begin), place])
  return chunk(0x0201, header, table, ...bodies)
}
const table = (texts: readonly string[], ...variants: Buffer[]) =>
  chunk(0x0002, u32(1), strings(texts), chunk(0x0200, Buffer.concat([u32(0x7f), Buffer.alloc(276)]), ...variants))
const textsOf = (bytes: Buffer, index = 0) =>
  readResources(bytes)(0x7f010000 + index).map(({ config, value }) => [config.language, value.text])

describe('resources', () => {
  test.each(['plain', 'sparse', 'short', 'compact'] as const)('are read as they are written: %s', (way) => {
    const bytes = table(
      ['one', 'two', '二'],
      variant([text(0), text(1), reference(1)], way),
      variant([text(0), text(2)], way, 'zh'),
    )
    expect(textsOf(bytes)).toEqual([
      ['', 'one'],
      ['zh', 'one'],
    ])
    expect(textsOf(bytes, 2)).toEqual([
      ['', 'two'],
      ['zh', '二'],
    ])
    expect(textsOf(bytes, 9)).toEqual([])
  })

  it('that lead to themselves lead nowhere', () => {
    expect(textsOf(table(['x'], variant([reference(1), reference(0)], 'plain')))).toEqual([])
    expect(textsOf(table(['x'], variant([reference(0)], 'plain')))).toEqual([])
  })

  it('that lead to more and more are not followed without end', () => {
    // Each of sixty leads to the next one in forty variants: followed one by one that would never end.
    const chain = [...Array(60).keys()].map((index) => reference(index + 1))
    const variants = [...Array(40).keys()].map(() => variant([...chain, text(0)], 'plain'))
    expect(textsOf(table(['x'], ...variants))).toEqual([])
    expect(textsOf(table(['x'], ...variants), 50)).toHaveLength(40)
  })

  it('that point behind their end are refused', () => {
    const bytes = table(['x'], variant([text(0)], 'plain'))
    bytes.writeUInt32LE(0x7ffffff0, bytes.length - 20)
    expect(() => textsOf(bytes)).toThrow(RangeError)
  })
})
