const signature = 'd0cf11e0a1b11ae1'
const header = 512
const entryBytes = 128
/** Sector numbers from here on are signs, not places. */
const endOfChain = 0xfffffffa

export const isCompound = (bytes: Buffer) => bytes.subarray(0, 8).toString('hex') === signature

/** One stream of a compound file (the container of old office documents), by its name. Every step is within the bytes there are. */
export const readStream = (bytes: Buffer, name: string): Buffer | undefined => {
  const size = 1 << bytes.readUInt16LE(30)
  const miniSize = 1 << bytes.readUInt16LE(32)
  const cutoff = bytes.readUInt32LE(56)
  if ((size !== 512 && size !== 4096) || miniSize !== 64) return undefined

  const sector = (number: number) => bytes.subarray(header + number * size, header + (number + 1) * size)
  const numbersIn = (part: Buffer) =>
    Array.from({ length: Math.floor(part.length / 4) }, (_, at) => part.readUInt32LE(at * 4))

  /** Follows a chain; one that bites its own tail ends with the file. */
  const chain = (start: number, next: readonly number[], most: number): number[] => {
    const found: number[] = []
    for (let at = start; at < endOfChain; at = next[at] ?? endOfChain) {
      if (found.length >= most) throw new RangeError('endless chain')
      found.push(at)
    }
    return found
  }
  const most = Math.ceil(bytes.length / size)
  const tableSectors = numbersIn(bytes.subarray(76, header)).filter((number) => number < endOfChain)
  const more = bytes.readUInt32LE(68)
  for (let at = more, steps = 0; at < endOfChain && steps < most; steps += 1) {
    const numbers = numbersIn(sector(at))
    at = numbers.pop() ?? endOfChain
    tableSectors.push(...numbers.filter((number) => number < endOfChain))
  }
  const table = tableSectors.flatMap((number) => numbersIn(sector(number)))
  const read = (start: number) => Buffer.concat(chain(start, table, most).map(sector))

  const directory = read(bytes.readUInt32LE(48))
  const entries = Array.from({ length: Math.floor(directory.length / entryBytes) }, (_, at) => {
    const entry = directory.subarray(at * entryBytes, (at + 1) * entryBytes)
    const length = Math.max(0, Math.min(64, entry.readUInt16LE(64)) - 2)
    return {
      name: entry.subarray(0, length).toString('utf16le'),
      root: entry[66] === 5,
      start: entry.readUInt32LE(116),
      size: entry.readUInt32LE(120),
    }
  })
  const wanted = entries.find((entry) => entry.name === name)
  if (!wanted) return undefined
  if (wanted.size >= cutoff) return read(wanted.start).subarray(0, wanted.size)

  // Small streams lie together in the stream of the root, in small sectors of their own.
  const root = entries.find((entry) => entry.root)
  if (!root) return undefined
  const heap = read(root.start)
  const miniTable = numbersIn(read(bytes.readUInt32LE(60)))
  const parts = chain(wanted.start, miniTable, Math.ceil(heap.length / miniSize) + 1)
  return Buffer.concat(parts.map((at) => heap.subarray(at * miniSize, (at + 1) * miniSize))).subarray(0, wanted.size)
}
