import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Counted, noBytes, type Reading, read } from './app-counters.ts'

const nothing: Counted = { time: 0, counters: noBytes }
const reading = (time: number, up: number, serverTime = false): Reading => ({ time, serverTime, told: { up } })
/** What all of them add, in the order in which they come. */
const sum = (readings: readonly Reading[]) => {
  let counted = nothing
  let bytes = 0
  for (const each of readings) {
    const { counted: next, by } = read(counted, each)
    counted = next
    bytes += by.up
  }
  return bytes
}

describe('a counter of an app', () => {
  it('adds what was counted since it was last read, and what is left out stands as it stood', () => {
    const first = read(nothing, { time: 1, serverTime: false, told: { up: 10, wifiDown: 5 } })
    expect(first.by).toMatchObject({ up: 10, wifiDown: 5, mobileUp: 0 })
    const second = read(first.counted, { time: 2, serverTime: false, told: { up: 25 } })
    expect(second.by).toMatchObject({ up: 15, wifiDown: 0 })
    expect(second.counted.counters).toMatchObject({ up: 25, wifiDown: 5 })
  })

  it('that stands lower later has begun anew, unless nobody knows what is later', () => {
    expect(sum([reading(1, 100), reading(2, 10), reading(3, 30)])).toBe(130)
    expect(sum([reading(1, 100, true), reading(2, 10, true), reading(3, 130, true)])).toBe(130)
  })

  /** Steps of a counter that only grows, read one after the other. */
  const growing = fc.array(fc.nat(1_000_000), { minLength: 1, maxLength: 20 }).map((steps) =>
    steps.map((_, at) =>
      reading(
        at + 1,
        steps.slice(0, at + 1).reduce((all, step) => all + step, 0),
      ),
    ),
  )
  const shuffledWithRepeats = (readings: readonly Reading[]) =>
    fc.array(fc.nat(readings.length - 1), { maxLength: 20 }).chain((again) =>
      fc.shuffledSubarray([...readings, ...again.map((at) => readings[at] as Reading)], {
        minLength: readings.length + again.length,
      }),
    )

  it('that never began anew adds up to how it stands, however often and in whatever order it is told', () => {
    fc.assert(
      fc.property(
        growing.chain((readings) => fc.tuple(fc.constant(readings), shuffledWithRepeats(readings))),
        ([readings, told]) => {
          expect(sum(told)).toBe(readings.at(-1)?.told.up)
        },
      ),
    )
  })

  it('that began anew unsaid adds all of it in order, and in no order more than there was', () => {
    const lives = fc.array(growing, { minLength: 1, maxLength: 4 }).map((all) => {
      let time = 0
      const readings = all.flatMap((life) => life.map(({ told }) => reading(++time, told.up ?? 0)))
      // Where a life begins below the end of the one before, that it began anew can be seen.
      const seen = readings.reduce((bytes, { told }, at) => {
        const before = readings[at - 1]?.told.up ?? 0
        const now = told.up ?? 0
        return bytes + (now < before ? now : now - before)
      }, 0)
      const truth = all.reduce((bytes, life) => bytes + (life.at(-1)?.told.up ?? 0), 0)
      return { readings, seen, truth }
    })
    fc.assert(
      fc.property(
        lives.chain((each) => fc.tuple(fc.constant(each), shuffledWithRepeats(each.readings))),
        ([{ readings, seen, truth }, told]) => {
          expect(sum(readings)).toBe(seen)
          expect(sum(told)).toBeLessThanOrEqual(truth)
        },
      ),
    )
  })
})
