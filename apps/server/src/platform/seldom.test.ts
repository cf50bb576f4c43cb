import { expect, test, vi } from 'vitest'
import { seldom } from './seldom.ts'

test('a word repeated a thousand times is said once, and once more later with how often it was meant', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const said: unknown[] = []
  const say = seldom(60_000, (last, times) => said.push([last, times]))
  for (let time = 0; time < 1_000; time += 1) say(time)
  expect(said).toEqual([[0, 1]])
  vi.advanceTimersByTime(60_000)
  say('again')
  expect(said).toEqual([
    [0, 1],
    ['again', 1_000],
  ])
  vi.useRealTimers()
})
