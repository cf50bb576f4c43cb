/** One value of ASN.1's distinguished encoding. */
export interface Der {
  readonly tag: number
  /** With its tag and length. */
  readonly whole: Buffer
  readonly content: Buffer
}

export const derTags = { integer: 0x02, octets: 0x04, oid: 0x06, sequence: 0x30, set: 0x31, first: 0xa0 } as const

const longestLength = 4

function readLength(bytes: Buffer): { readonly length: number; readonly begin: number } {
  const first = bytes.readUInt8(1)
  if (first < 0x80) return { length: first, begin: 2 }
  const count = first & 0x7f
  if (count === 0 || count > longestLength) throw new RangeError('length')
  return { length: bytes.readUIntBE(2, count), begin: 2 + count }
}

export function readDer(bytes: Buffer): Der {
  const { length, begin } = readLength(bytes)
  if (begin + length > bytes.length) throw new RangeError('value')
  return {
    tag: bytes.readUInt8(0),
    whole: bytes.subarray(0, begin + length),
    content: bytes.subarray(begin, begin + length),
  }
}

const mostParts = 1000

export function partsOf({ content }: Der): readonly Der[] {
  const parts: Der[] = []
  for (let at = 0; at < content.length; ) {
    if (parts.length >= mostParts) throw new RangeError('parts')
    const part = readDer(content.subarray(at))
    parts.push(part)
    at += part.whole.length
  }
  return parts
}

/** The parts, taken one after the other; those that need not be there are taken by their tag. */
export function takeParts(value: Der): { next(): Der; optional(tag: number): Der | undefined } {
  const parts = [...partsOf(value)]
  const next = () => {
    const part = parts.shift()
    if (!part) throw new RangeError('part')
    return part
  }
  return { next, optional: (tag) => (parts[0]?.tag === tag ? next() : undefined) }
}
