import { protocol } from '@campanile/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { packSlots, summaryOf, unpackSlots, whole } from './telemetry/rollup.ts'
import { addedBy, follow, type Run, runOf } from './telemetry/run.ts'

const place = protocol.telemetryNames.indexOf('mobileUp')
const summary = (...readings: number[]) =>
  summaryOf(readings.map((value, ts) => ({ ts, values: [[place, value] as const] })))
const run = (...readings: number[]) => summary(...readings).get(place)?.run as Run

describe('a traffic counter', () => {
  it('counts what was added, and when it began anew what it shows since', () => {
    expect(run(100, 150, 160, 200, 200).grown).toBe(100)
    expect(run(1, 5, 9, 1, 3).grown).toBe(11)
    expect(run(900, 1000, 0, 1010, 20, 70).grown).toBe(100 + 1010 + 70)
  })
  it('says nothing before it was read', () => {
    expect(addedBy(run(5_000), undefined)).toBe(0)
    expect(addedBy(run(5_000), run(4_000))).toBe(1_000)
    expect(addedBy(run(300), run(4_000))).toBe(300)
  })
  it('counts the same wherever its readings are cut into hours and days, and kept', () => {
    const reading = fc.integer({ min: 0, max: protocol.counterMax })
    fc.assert(
      fc.property(
        fc.array(fc.array(reading, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 24 }),
        (hours) => {
          const all = run(...hours.flat())
          // Out of order, as hours come that were told late.
          const slots = new Map(hours.map((readings, slot) => [slot, summary(...readings)] as const).reverse())
          expect(whole(unpackSlots(packSlots(slots))).get(place)?.run).toEqual(all)
          expect(hours.map((readings) => run(...readings)).reduce(follow)).toEqual(all)
        },
      ),
    )
  })
  it('of which only the lowest and highest were kept is never counted twice', () => {
    const highest = 1_000_000_040
    const old = runOf({ min: 900_000_000, max: Math.fround(highest) })
    expect(addedBy(run(highest), old)).toBeLessThan(300)
    const after = (min: number, max: number) => addedBy(runOf({ min, max }, run(1_000)), run(1_000))
    expect([after(0, 1_010), after(1_005, 1_010), after(0, 40)]).toEqual([10, 10, 40])
  })
  it('of a damaged block is kept as near as it can be', () => {
    expect(
      unpackSlots(packSlots(new Map([[0, summary(-5, 2 ** 60)]])))
        .get(0)
        ?.get(place)?.run,
    ).toMatchObject({
      first: 0,
      last: 2 ** 48 - 1,
    })
  })
})
