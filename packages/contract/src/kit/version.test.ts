import { expect, test } from 'vitest'
import { compareVersions } from './version.ts'

test.each([
  ['3.9', '<', '3.10'],
  ['3.2', '<', '3.2.0'],
  ['V3.2.0', '=', '3.2.0'],
  ['3.2.0-rc1', '=', '3.2.0'],
  ['3.2.0+build.7', '=', '3.2.0'],
  ['03.02', '=', '3.2'],
  ['99999999999999999998.1', '<', '99999999999999999999'],
  ['2026.11', '>', '12.4.3'],
])('%s %s %s', (one, order, two) => {
  const sign = { '<': -1, '=': 0, '>': 1 }[order] ?? Number.NaN
  expect(Math.sign(compareVersions(one, two) ?? Number.NaN)).toBe(sign)
  expect(Math.sign(compareVersions(two, one) ?? Number.NaN)).toBe(sign === 0 ? 0 : -sign)
})

test('what has no number has no order', () => {
  expect(compareVersions('unknown', '1.0')).toBeUndefined()
  expect(compareVersions('1.0', '-1')).toBeUndefined()
})
