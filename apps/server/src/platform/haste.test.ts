import { expect, test } from 'vitest'
import { createAllowance } from './haste.ts'

const atTime = (perMinute: number, atOnce: number) => {
  let now = 0
  const allowance = createAllowance(perMinute, atOnce, () => now)
  return { ...allowance, wait: (seconds: number) => (now += seconds * 1_000) }
}

test('so many at once, then as many as come back, with the time to wait', () => {
  const { take, wait } = atTime(60, 3)
  expect([take(1), take(1), take(1)]).toEqual([0, 0, 0])
  expect(take(1)).toBe(1)
  wait(0.5)
  expect(take(1)).toBe(1)
  wait(0.5)
  expect(take(1)).toBe(0)
  expect(take(1)).toBe(1)
  wait(3_600)
  expect([take(1), take(1), take(1), take(1)]).toEqual([0, 0, 0, 1])
})

test('asking in vain does not make the wait longer', () => {
  const { take, wait } = atTime(60, 1)
  take(1)
  for (let time = 0; time < 1_000; time += 1) take(1)
  wait(1)
  expect(take(1)).toBe(0)
})

test('one key uses up nothing of another’s, and keys that are full again are forgotten', () => {
  const { take, wait, size } = atTime(60, 2)
  for (let key = 0; key < 1_000; key += 1) expect(take(key)).toBe(0)
  expect(size()).toBe(1_000)
  wait(2)
  expect(take(5_000)).toBe(0)
  expect(size()).toBe(1)
})
