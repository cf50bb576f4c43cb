import { describe, expect, it } from 'vitest'
import { rowsInSight } from './useRowsInSight.ts'

describe('rows in sight', () => {
  it('are all of them while they are few', () => {
    expect(rowsInSight(40, 40, 0, 400)).toEqual({ from: 0, to: 40, before: 0, after: 0 })
  })

  it.each([0, 400, 2_000, 3_600, 99_999])(
    'of many cover the window scrolled by %i, and keep the height of all',
    (top) => {
      const { from, to, before, after } = rowsInSight(100, 40, top, 400)
      expect(before + (to - from) * 40 + after).toBe(4_000)
      expect(from * 40).toBeLessThanOrEqual(Math.min(top, 4_000))
      expect(to * 40).toBeGreaterThanOrEqual(Math.min(top + 400, 4_000))
    },
  )
})
