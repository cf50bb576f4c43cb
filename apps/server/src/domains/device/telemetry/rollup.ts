import { protocol } from '@campanile/contract'
import type { Point } from './codec.ts'
import { follow, type Run, runOf } from './run.ts'

/** What is left of many values: enough for a line, its band and the sum of several of them. */
export interface Summary {
  count: number
  sum: number
  min: number
  max: number
  /** Of a counter; absent in what was kept before runs were. */
  run?: Run | undefined
}
/** By slot (hour of a day, day of a month) and by name (its place in the contract's list). */
export type Slots = Map<number, Map<number, Summary>>

const bytes = 22
/** Marks the entry of a run beside the entry of its name; who does not know it reads over it. */
const runMark = 0x80
const counterPlaces: ReadonlySet<number> = new Set(
  protocol.trafficCounters.map((name) => protocol.telemetryNames.indexOf(name)),
)

/** The value comes after what is held: runs follow each other in the order of time. */
export const summarise = (into: Map<number, Summary>, name: number, value: Summary) => {
  const held = into.get(name)
  if (!held) into.set(name, { ...value })
  else {
    if (held.run || value.run) {
      const before = runOf(held)
      held.run = follow(before, runOf(value, before))
    }
    held.count += value.count
    held.sum += value.sum
    held.min = Math.min(held.min, value.min)
    held.max = Math.max(held.max, value.max)
  }
}

export const summaryOf = (points: readonly Point[]): Map<number, Summary> => {
  const found = new Map<number, Summary>()
  for (const { values } of points)
    for (const [name, value] of values) {
      const run = counterPlaces.has(name) ? { first: value, last: value, grown: 0 } : undefined
      summarise(found, name, { count: 1, sum: value, min: value, max: value, run })
    }
  return found
}

/** A block that was damaged may give any number; it must not keep those of other devices from being packed. */
const sixBytes = (value: number) => Math.min(Math.max(Math.round(value), 0), 2 ** 48 - 1)

export const packSlots = (slots: Slots): Buffer => {
  const rows = [...slots].flatMap(([slot, names]) => [...names].map(([name, summary]) => ({ slot, name, summary })))
  const runs = rows.flatMap(({ slot, name, summary: { run } }) => (run ? [{ slot, name, run }] : []))
  const block = Buffer.alloc((rows.length + runs.length) * bytes)
  for (const [at, { slot, name, summary }] of rows.entries()) {
    const from = at * bytes
    block.writeUInt8(slot, from)
    block.writeUInt8(name, from + 1)
    block.writeUInt32LE(summary.count, from + 2)
    block.writeDoubleLE(summary.sum, from + 6)
    block.writeFloatLE(summary.min, from + 14)
    block.writeFloatLE(summary.max, from + 18)
  }
  for (const [at, { slot, name, run }] of runs.entries()) {
    const from = (rows.length + at) * bytes
    block.writeUInt8(slot, from)
    block.writeUInt8(name | runMark, from + 1)
    block.writeUIntLE(sixBytes(run.first), from + 2, 6)
    block.writeUIntLE(sixBytes(run.last), from + 8, 6)
    block.writeDoubleLE(run.grown, from + 14)
  }
  return block
}

export const unpackSlots = (block: Buffer): Slots => {
  const slots: Slots = new Map()
  for (let at = 0; at + bytes <= block.length; at += bytes) {
    const slot = block.readUInt8(at)
    const names = slots.get(slot) ?? new Map<number, Summary>()
    const name = block.readUInt8(at + 1)
    if (name >= runMark) {
      const summary = names.get(name - runMark)
      if (summary)
        summary.run = {
          first: block.readUIntLE(at + 2, 6),
          last: block.readUIntLE(at + 8, 6),
          grown: block.readDoubleLE(at + 14),
        }
      continue
    }
    names.set(name, {
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
  for (const [, names] of [...slots].sort(([a], [b]) => a - b))
    for (const [name, summary] of names) summarise(found, name, summary)
  return found
}
