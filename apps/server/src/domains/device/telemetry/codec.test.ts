import { protocol } from '@campanile/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Point, pack, together, unpack } from './codec.ts'

const hour = Date.UTC(2026, 0, 1, 12)
const value = fc.oneof(
  fc.integer({ min: -10_000, max: 10_000 }).map((hundredths) => hundredths / 100),
  // Counters of bytes grow large.
  fc.integer({ min: 0, max: 10 ** 12 }),
)
const points = fc
  .array(
    fc.record({
      ts: fc.integer({ min: hour, max: hour + 3_599_999 }),
      values: fc
        .uniqueArray(fc.tuple(fc.integer({ min: 0, max: protocol.telemetryNames.length - 1 }), value), {
          selector: ([name]) => name,
          minLength: 1,
        })
        .map((some) => some.sort(([a], [b]) => a - b)),
    }),
    { maxLength: 40 },
  )
  .map((some) => together(some))

describe('a packed block', () => {
  it('gives back what was put in', () => {
    fc.assert(
      fc.property(points, (some) => {
        expect(unpack(pack(some, hour), hour)).toEqual(some)
      }),
    )
  })

  it('takes the same of each instant, whatever the order and the repeats', () => {
    fc.assert(
      fc.property(points, (some) => {
        expect(together([...some, ...[...some].reverse()])).toEqual(some)
      }),
    )
  })

  it('is small: three slowly changing values a minute take less than five bytes each', () => {
    const battery = protocol.telemetryNames.indexOf('battery')
    const cpu = protocol.telemetryNames.indexOf('cpu')
    const signal = protocol.telemetryNames.indexOf('signal')
    const some: Point[] = Array.from({ length: 60 }, (_, minute) => ({
      ts: hour + minute * 60_000 + ((minute * 37) % 900),
      values: [
        [battery, 80 - minute / 10],
        [cpu, 12.5 + ((minute * 7) % 13)],
        [signal, -60 - (minute % 5)],
      ],
    }))
    expect(pack(some, hour).length / 180).toBeLessThan(5)
  })

  it('that was cut short is noticed', () => {
    const block = pack([{ ts: hour + 5_000, values: [[0, 50]] }], hour)
    expect(() => unpack(block.subarray(0, -1), hour)).toThrow('too early')
  })
})
