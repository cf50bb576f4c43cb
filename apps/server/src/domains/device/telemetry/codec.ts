import { protocol } from '@campanile/contract'

/** One report: which values, by their place in the contract's list, and what they were. Kept to a hundredth. */
export interface Point {
  ts: number
  values: readonly (readonly [name: number, value: number])[]
}

const precision = 100
const names: readonly string[] = protocol.telemetryNames
const place = new Map(names.map((name, at) => [name, at]))

/** What of a report is kept over time; undefined when nothing is. */
export const pointOf = (state: { readonly ts: number } & Readonly<Record<string, unknown>>): Point | undefined => {
  const values: [number, number][] = []
  for (const [name, at] of place) {
    const value = state[name]
    if (typeof value === 'number') values.push([at, value])
  }
  return values.length > 0 ? { ts: state.ts, values } : undefined
}

// Seven bits a byte, low ones first. Arithmetic instead of shifts: counters and times are wider than 32 bits. What is no whole
// number, or too large to be exact, would not come back as it was; Infinity would never come to an end.
const writeNumber = (to: number[], value: number) => {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} cannot be packed`)
  let rest = value
  while (rest >= 0x80) {
    to.push((rest % 0x80) | 0x80)
    rest = Math.floor(rest / 0x80)
  }
  to.push(rest)
}
const writeSigned = (to: number[], value: number) => writeNumber(to, value < 0 ? -value * 2 - 1 : value * 2)

/** 2^53 takes eight. */
const numberBytesMax = 8

const createCursor = (bytes: Uint8Array) => {
  let at = 0
  const number = () => {
    let value = 0
    let scale = 1
    for (let length = 1; ; length += 1) {
      const byte = bytes[at++]
      if (length > numberBytesMax) throw new RangeError('the block holds a number without an end')
      if (byte === undefined) throw new RangeError('the block ends too early')
      value += (byte & 0x7f) * scale
      if (byte < 0x80) break
      scale *= 0x80
    }
    if (!Number.isSafeInteger(value)) throw new RangeError('the block holds a number that is none')
    return value
  }
  return {
    number,
    signed: () => {
      const value = number()
      return value % 2 === 1 ? -(value + 1) / 2 : value / 2
    },
    get done() {
      return at >= bytes.length
    },
  }
}

/** Points in the order of time, each as what changed since the one before: time, which names, by how much. */
export const pack = (points: readonly Point[], from: number): Buffer => {
  const bytes: number[] = []
  const last: number[] = []
  let time = from
  for (const { ts, values } of points) {
    writeSigned(bytes, ts - time)
    time = ts
    writeNumber(
      bytes,
      values.reduce((mask, [name]) => mask + 2 ** name, 0),
    )
    for (const [name, value] of values) {
      const scaled = Math.round(value * precision)
      writeSigned(bytes, scaled - (last[name] ?? 0))
      last[name] = scaled
    }
  }
  return Buffer.from(bytes)
}

export const unpack = (block: Uint8Array, from: number): Point[] => {
  const cursor = createCursor(block)
  const points: Point[] = []
  const last = new Map<number, number>()
  let time = from
  while (!cursor.done) {
    time += cursor.signed()
    const mask = cursor.number()
    const values: [number, number][] = []
    for (let name = 0; name < names.length; name += 1) {
      if (Math.floor(mask / 2 ** name) % 2 === 0) continue
      const scaled = (last.get(name) ?? 0) + cursor.signed()
      last.set(name, scaled)
      values.push([name, scaled / precision])
    }
    points.push({ ts: time, values })
  }
  return points
}

/** Sorted by time, one point a millisecond; of two values of the same instant always the same one is kept. */
export const together = (points: readonly Point[]): Point[] => {
  const byTime = new Map<number, Map<number, number>>()
  for (const { ts, values } of points) {
    const held = byTime.get(ts) ?? new Map<number, number>()
    for (const [name, value] of values) held.set(name, Math.max(value, held.get(name) ?? Number.NEGATIVE_INFINITY))
    byTime.set(ts, held)
  }
  return [...byTime]
    .sort(([a], [b]) => a - b)
    .map(([ts, values]) => ({ ts, values: [...values].sort(([a], [b]) => a - b) }))
}
