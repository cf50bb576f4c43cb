import { describe, expect, it } from 'vitest'
import { linear, nearest, readableTicks, runs, silence, ticks, tickText, timeTicks } from './scale.ts'

const at = (t: number) => ({ t, min: 0, avg: 0, max: 0 })

describe('ticks', () => {
  it.each([
    [0, 100, [0, 25, 50, 75, 100]],
    [3, 9, [2, 4, 6, 8, 10]],
    [-95, -60, [-100, -90, -80, -70, -60]],
    [5, 5, [5, 5.25]],
    [0.1, 0.3, [0.1, 0.15, 0.2, 0.25, 0.3]],
  ])('between %d and %d are round', (from, to, expected) => {
    expect(ticks(from, to)).toEqual(expected)
  })
})

it('draws a hole where nothing was told', () => {
  expect(runs([at(0), at(10), at(100), at(110)], 30).map((run) => run.map(({ t }) => t))).toEqual([
    [0, 10],
    [100, 110],
  ])
})

it('takes only a silence for one that is long for these points and for the eye', () => {
  const points = [at(0), at(60), at(120), at(1_000)]
  expect(silence(points, 5, 1_200)).toBe(180)
  expect(silence(points, 5, 12_000)).toBe(1_000)
})

it('finds the nearest point and keeps a flat range drawable', () => {
  expect(nearest([at(0), at(10), at(20)], 13)).toBe(1)
  expect(linear(5, 5, 0, 100)(5)).toBe(0)
})

it('marks times at whole hours, days and months, and calls each by what changes', () => {
  const said = (from: string, to: string) => {
    const { step, at: times } = timeTicks(Date.parse(from), Date.parse(to), true)
    return times.map((t) => tickText(t, step, true))
  }
  expect(said('2026-11-15T21:07:00Z', '2026-11-16T03:07:00Z')).toEqual([
    '22:00',
    '23:00',
    '11-16',
    '01:00',
    '02:00',
    '03:00',
  ])
  expect(said('2026-11-09T03:12:00Z', '2026-11-16T03:12:00Z')).toEqual([
    '11-10',
    '11-11',
    '11-12',
    '11-13',
    '11-14',
    '11-15',
    '11-16',
  ])
  expect(said('2025-11-16T00:00:00Z', '2026-11-16T00:00:00Z')).toEqual([
    '2026-01',
    '2026-03',
    '2026-05',
    '2026-07',
    '2026-09',
    '2026-11',
  ])
})

it('writes no figure of an axis twice', () => {
  const text = (value: number) => value.toFixed(0)
  expect(readableTicks(-60, -58, text).map(text)).toEqual([...new Set(readableTicks(-60, -58, text).map(text))])
})
