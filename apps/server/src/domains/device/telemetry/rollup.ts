import type { Point } from './codec.ts'

/** What is left of many values: enough for a line, its band and the sum of several of them. */
export interface Summary {
  count: number
  sum: number
  min: number
  max: number
}
/** By slot (hour of a day, day of a month) and by name (its place in the contract's list). */
export type Slots = Map<number, Map<number, Summary>>

const bytes = 22

export const summarise = (into: Map<number, Summary>, name: number, value: Summary) => {
  const held = into.get(name)
  if (!held) into.set(name, { ...value })
  else {
    held.count += value.count
    held.sum += value.sum
    held.min = Math.min(held.min, value.min)
    held.max = Math.max(held.max, value.max)
  }
}

export const summaryOf = (points: readonly Point[]): Map<number, Summary> => {
  const found = new Map<number, Summary>()
  for (const { values } of points)
    for (const [name, value] of values) summarise(found, name, { count: 1, sum: value, min: value, max: value })
  return found
}

export const packSlots = (slots: Slots): Buffer => {
  const rows = [...slots].flatMap(([slot, names]) => [...names].map(([name, summary]) => ({ slot, name, summary })))
  const block = Buffer.alloc(rows.length * bytes)
  for (const [at, { slot, name, summary }] of rows.entries()) {
    const from = at * bytes
    block.writeUInt8(slot, from)
    block.writeUInt8(name, from + 1)
    block.writeUInt32LE(summary.count, from + 2)
    block.writeDoubleLE(summary.sum, from + 6)
    block.writeFloatLE(summary.min, from + 14)
    block.writeFloatLE(summary.max, from + 18)
  }
  return block
}

export const unpackSlots = (block: Buffer): Slots => {
  const slots: Slots = new Map()
  for (let at = 0; at + bytes <= block.length; at += bytes) {
    const slot = block.readUInt8(at)
    const names = slots.get(slot) ?? new Map<number, Summary>()
    names.set(block.readUInt8(at + 1), {
      count: block.readUInt32LE(at + 2),
      sum: block.readDoubleLE(at + 6),
      min: block.readFloatLE(at + 14),
      max: block.readFloatLE(at + 18),
    })
    slots.set(slot, names)
  }
  return slots
}

/** All slots of a row as one: a day from its hours. */
export const whole = (slots: Slots): Map<number, Summary> => {
  const found = new Map<number, Summary>()
  for (const names of slots.values()) for (const [name, summary] of names) summarise(found, name, summary)
  return found
}
