/** Fields one behind the other, most of them with their length before them. Reading past the end throws a RangeError. */
export interface Fields {
  number(): number
  bytes(): Buffer
  /** Fields in a field. */
  fields(): Fields
  rest(): Buffer
  isEmpty(): boolean
}

export function fieldsOf(bytes: Buffer): Fields {
  let at = 0
  const fields: Fields = {
    number() {
      const value = bytes.readUInt32LE(at)
      at += 4
      return value
    },
    bytes() {
      const length = fields.number()
      if (at + length > bytes.length) throw new RangeError('field')
      at += length
      return bytes.subarray(at - length, at)
    },
    fields: () => fieldsOf(fields.bytes()),
    rest: () => bytes.subarray(at),
    isEmpty: () => at >= bytes.length,
  }
  return fields
}

/** Fields of one kind until there are no more. Each may cost a verification, so there are not more than `most`. */
export function each<T>(fields: Fields, most: number, read: (fields: Fields) => T): readonly T[] {
  const all: T[] = []
  while (!fields.isEmpty()) {
    if (all.length >= most) throw new RangeError('fields')
    all.push(read(fields))
  }
  return all
}
