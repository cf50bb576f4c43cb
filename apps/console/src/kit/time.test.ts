import { describe, expect, it } from 'vitest'
import { dayText, offsetText, relativeText, timeText } from './time.ts'

const time = new Date(2026, 8, 1, 8, 5)

describe('times', () => {
  it('are written year first, in the reader’s own zone', () => {
    expect(timeText(time)).toBe('2026-09-01 08:05')
    expect(dayText(time)).toBe('2026-09-01')
    expect(offsetText(time)).toMatch(/^UTC[+-]\d\d:\d\d$/)
  })

  it('name the zone with its sign and half hours', () => {
    const at = (minutesWest: number) => ({ getTimezoneOffset: () => minutesWest }) as Date
    expect([at(-480), at(210), at(0), at(-345)].map(offsetText)).toEqual([
      'UTC+08:00',
      'UTC-03:30',
      'UTC+00:00',
      'UTC+05:45',
    ])
  })

  it('are told from now while that helps', () => {
    const away = (ms: number) => relativeText(new Date(time.getTime() + ms), time, 'en')
    expect(away(-5 * 60_000)).toBe('5 minutes ago')
    expect(away(3 * 3_600_000)).toBe('in 3 hours')
    expect(away(-40 * 86_400_000)).toBeUndefined()
  })
})
