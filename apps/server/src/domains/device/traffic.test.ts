import { describe, expect, it } from 'vitest'
import { increases } from './traffic.store.ts'

const by = (...readings: [min: number, max: number][]) =>
  increases(readings.map(([min, max], t) => ({ t, min, max }))).map((each) => each.by)

describe('a traffic counter', () => {
  it('counts what was added, also between two readings', () => {
    expect(by([100, 150], [160, 200], [200, 200])).toEqual([50, 50, 0])
  })
  it('that began anew counts what it has counted since', () => {
    expect(by([900, 1000], [0, 40], [40, 70])).toEqual([100, 40, 30])
  })
  it('that began anew within a reading does not count the old count again', () => {
    expect(by([900, 1000], [0, 1010], [20, 70])).toEqual([100, 10, 50])
  })
  it('says nothing before it was read', () => {
    expect(by()).toEqual([])
    expect(by([5_000, 5_000])).toEqual([0])
  })
})
