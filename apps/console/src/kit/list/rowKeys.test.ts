import { expect, it } from 'vitest'
import { rowKeys } from './rowKeys.ts'

const of = (...ids: number[]) => rowKeys(new Map(), ids)
const keysOf = (keys: ReadonlyMap<number, number>) => [...keys.values()]

it('keeps the key of a row that stays, wherever it stands now', () => {
  const before = of(7, 8, 9, 10)
  const now = rowKeys(before, [10, 8, 7, 11])
  expect([now.get(10), now.get(8), now.get(7)]).toEqual([before.get(10), before.get(8), before.get(7)])
})

it('writes other rows into what the former ones leave', () => {
  const before = of(1, 2, 3)
  expect(keysOf(rowKeys(before, [4, 5, 6]))).toEqual(keysOf(before))
})

it('gives a row that takes the place of a single one a key of its own, so that the focus does not pass to it', () => {
  const before = of(1, 2, 3)
  const now = rowKeys(before, [1, 4, 3])
  expect(keysOf(before)).not.toContain(now.get(4))
})

it('gives no key twice when there are more rows than before', () => {
  const now = rowKeys(of(1, 2), [3, 2, 4, 5, 6])
  expect(new Set(keysOf(now)).size).toBe(5)
})
