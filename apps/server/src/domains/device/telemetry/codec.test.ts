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

  it.each([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN, 1e308, -1e308, 2 ** 53])(
    'does not take %d, which it could not give back',
    (value) => {
      expect(() => pack([{ ts: hour, values: [[0, value]] }], hour)).toThrow(RangeError)
      expect(() => pack([{ ts: value, values: [[0, 1]] }], hour)).toThrow(RangeError)
    },
  )

  it('gives back every number at the edges of what the protocol allows', () => {
    const at = new Map(protocol.telemetryNames.map((name, place) => [name, place]))
    for (const [name, place] of at) {
      const { minValue, maxValue } = protocol.stateValues[name]
      const some: Point[] = [maxValue, minValue, 0, -0, 5e-324, 0.1 + 0.2, maxValue].map((value, step) => ({
        ts: hour + step,
        values: [[place, Math.max(minValue as number, value as number)]],
      }))
      const back = unpack(pack(some, hour), hour)
      for (const [step, { values }] of back.entries())
        expect(values[0]?.[1]).toBeCloseTo(some[step]?.values[0]?.[1] as number, 2)
    }
  })

  it('comes to an end on any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          for (const { values } of unpack(bytes, hour))
            for (const [, value] of values) expect(Number.isFinite(value)).toBe(true)
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError)
        }
      }),
      { numRuns: 2_000 },
    )
    expect(() => unpack(new Uint8Array(60_000).fill(0xff), hour)).toThrow(RangeError)
  })

  it('that was cut short is noticed', () => {
    const block = pack([{ ts: hour + 5_000, values: [[0, 50]] }], hour)
    expect(() => unpack(block.subarray(0, -1), hour)).toThrow('too early')
  })
})
