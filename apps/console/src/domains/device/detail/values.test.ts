import { expect, it } from 'vitest'
import { durationText } from './values.ts'

const t = (key: string, values: Record<string, unknown> = {}) => `${values.count}${key.split('.').at(-1)?.[0]}`

it.each([
  [0, '0m'],
  [59, '0m'],
  [61, '1m'],
  [3_600, '1h'],
  [6 * 86_400 + 4 * 3_600 + 59, '6d 4h'],
  [86_400, '1d'],
])('tells %d seconds by their two largest parts', (seconds, expected) => {
  expect(durationText(seconds, t)).toBe(expected)
})
