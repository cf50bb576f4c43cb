import { describe, expect, it } from 'vitest'
import { nextRun } from './nextRun.ts'

describe('the next promotion', () => {
  it.each([
    ['later this year', '09-01', '2026-03-01T00:00:00Z', '2026-09-01'],
    ['today', '09-01', '2026-09-01T03:00:00Z', '2026-09-01'],
    ['next year once it has passed', '07-01', '2026-07-02T00:00:00Z', '2027-07-01'],
    ['by the clock of the school, not of the reader', '01-01', '2026-12-31T17:00:00Z', '2027-01-01'],
    ['the last of February in a year without the 29th', '02-29', '2026-03-01T00:00:00Z', '2027-02-28'],
    ['the 29th in a leap year', '02-29', '2028-01-01T00:00:00Z', '2028-02-29'],
  ])('is %s', (_, monthDay, now, expected) => {
    expect(nextRun(monthDay, new Date(now))).toBe(expected)
  })

  it('is nothing without a date', () => {
    expect(nextRun('', new Date())).toBeUndefined()
  })
})
