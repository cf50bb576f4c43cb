import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Latest, merge } from './latest.ts'

const report = fc.record(
  {
    ts: fc.integer({ min: 0, max: 20 }),
    battery: fc.integer({ min: 0, max: 100 }),
    networkType: fc.constantFrom('wifi', '4g', 'lan'),
    locked: fc.boolean(),
  },
  { requiredKeys: ['ts'] },
)
const resultOf = (reports: readonly { ts: number }[]) => {
  const latest: Latest = {}
  for (const each of reports) merge(latest, each)
  return latest
}

describe('the latest values of a device', () => {
  it('are the same in whatever order and however often reports arrive', () => {
    const arrivals = fc.array(report, { minLength: 1, maxLength: 30 }).chain((sent) =>
      fc.tuple(
        fc.constant(sent),
        // Each at least once, some up to three times, shuffled.
        fc
          .array(fc.constantFrom(...sent), { maxLength: sent.length * 2 })
          .chain((again) => fc.shuffledSubarray([...sent, ...again], { minLength: sent.length + again.length })),
      ),
    )
    fc.assert(
      fc.property(arrivals, ([sent, arrived]) => {
        const inOrder = [...sent].sort((a, b) => a.ts - b.ts)
        expect(resultOf(arrived)).toEqual(resultOf(inOrder))
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    ['numbers', 'battery', [9, 30, 10], 30],
    ['negative numbers', 'signal', [-9, -100, -30], -9],
    ['words', 'networkType', ['wifi', '4g', 'lan'], 'wifi'],
    ['yes and no', 'locked', [false, true, false], true],
  ])('told for the same millisecond are the larger one of %s, in any order', (_, name, values, larger) => {
    for (const order of [values, [...values].reverse(), [values[1], values[2], values[0]]]) {
      const latest = resultOf(order.map((value) => ({ ts: 5, [name as string]: value })))
      expect(latest).toEqual({ [name as string]: { v: larger, t: 5 } })
    }
  })

  it('of a device without a clock are those that came last', () => {
    const latest: Latest = {}
    for (const battery of [50, 40, 45]) merge(latest, { ts: 7, battery }, true)
    expect(latest).toEqual({ battery: { v: 45, t: 7, r: true } })
  })

  it('stay as they are when something older or the same comes', () => {
    const latest = resultOf([{ ts: 10, battery: 50 } as { ts: number }])
    expect(merge(latest, { ts: 9, battery: 99 })).toBe(false)
    expect(merge(latest, { ts: 10, battery: 50 })).toBe(false)
    expect(latest).toEqual({ battery: { v: 50, t: 10 } })
  })
})
