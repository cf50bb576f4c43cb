import pino from 'pino'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Probed } from './probe.ts'
import { createWatchdog } from './watchdog.ts'

let answers: boolean
let port: Probed
const end = vi.fn()
let watchdog: ReturnType<typeof createWatchdog>
const beat = (number: number) => {
  if (answers) watchdog.alive(number, { connected: 3, unknown: 1 })
}
const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1_000)
const isUp = () => watchdog.health().up

beforeEach(async () => {
  vi.useFakeTimers()
  end.mockClear()
  answers = true
  port = 'answered'
  watchdog = createWatchdog({ log: pino({ level: 'silent' }), beat, look: async () => port, end })
  await watchdog.opened()
  watchdog.start()
})
afterEach(() => {
  watchdog.stop()
  vi.useRealTimers()
})

it('is up while the process answers and the port does', async () => {
  await seconds(60)
  expect(watchdog.health()).toMatchObject({ up: true, restarts: 0, connected: 3, unknown: 1 })
  expect(end).not.toHaveBeenCalled()
})

it('does not believe a port that was said to be open before it has answered', async () => {
  watchdog.ended()
  port = 'refused'
  await watchdog.opened()
  expect(isUp()).toBe(false)
  port = 'answered'
  await seconds(6)
  expect(isUp()).toBe(true)
})

it('says within seconds that the process stands still, and ends it when it stays so', async () => {
  await seconds(10)
  answers = false
  await seconds(5)
  expect(isUp()).toBe(false)
  expect(end).not.toHaveBeenCalled()
  await seconds(13)
  expect(end).toHaveBeenCalledTimes(1)
  watchdog.ended()
  answers = true
  await watchdog.opened()
  await seconds(2)
  expect(watchdog.health()).toMatchObject({ up: true, restarts: 1 })
})

it('forgives a process that was only busy', async () => {
  await seconds(10)
  answers = false
  await seconds(8)
  answers = true
  await seconds(2)
  expect(isUp()).toBe(true)
  expect(end).not.toHaveBeenCalled()
})

it('does not take its own standing still for the other’s', async () => {
  await seconds(10)
  // The clock goes on by a minute and one beat falls due, as after a long pause of this process.
  vi.setSystemTime(Date.now() + 60_000)
  answers = false
  await seconds(2)
  answers = true
  expect(isUp()).toBe(true)
  await seconds(30)
  expect(end).not.toHaveBeenCalled()
})

it.each<Probed>(['refused', 'silent'])('ends one whose port is %s though its process answers', async (found) => {
  await seconds(10)
  port = found
  await seconds(11)
  expect(isUp()).toBe(false)
  await seconds(25)
  expect(end).toHaveBeenCalled()
})

it('does not start anew without end where its own port was never within reach', async () => {
  port = 'silent'
  watchdog.stop()
  watchdog = createWatchdog({ log: pino({ level: 'silent' }), beat, look: async () => port, end })
  await watchdog.opened()
  watchdog.start()
  await seconds(300)
  expect(isUp()).toBe(false)
  expect(end).not.toHaveBeenCalled()
})

it('says that doors are full, and cuts nobody off for it', async () => {
  port = 'closed'
  await seconds(120)
  expect(isUp()).toBe(false)
  expect(end).not.toHaveBeenCalled()
  port = 'answered'
  await seconds(6)
  expect(isUp()).toBe(true)
})
