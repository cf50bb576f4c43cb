import { expect, it } from 'vitest'
import { bigints, doubles, integers } from './binary-array.ts'

const none = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]

it('writes the numbers that fit and refuses all others, instead of writing another number', () => {
  for (const value of [...none, 1e308, 2 ** 53, 0.5]) expect(() => bigints([1, value])).toThrow(RangeError)
  for (const value of [...none, 1e308, 2 ** 31, -(2 ** 31) - 1, 0.5])
    expect(() => integers([1, value])).toThrow(RangeError)
  for (const value of none) expect(() => doubles([1, value])).toThrow(RangeError)
  expect(bigints([Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER, -0, null]).readBigInt64BE(24)).toBe(
    BigInt(Number.MAX_SAFE_INTEGER),
  )
  expect(integers([2 ** 31 - 1, -(2 ** 31), -0, null]).readInt32BE(24)).toBe(2 ** 31 - 1)
  expect(doubles([1e308, 5e-324, -0, null]).readDoubleBE(24)).toBe(1e308)
})
