import { expect, it } from 'vitest'
import { createClock } from './clock.ts'

const today = Date.UTC(2026, 5, 1, 12)
/** A machine whose own clock shows what it was set to, and which has been up for a minute. */
const machine = (shows: number, boot = 'monday') => {
  let wall = shows
  let up = 60_000
  const clock = createClock({ own: () => wall, uptime: () => up, boot })
  return {
    clock,
    pass: (ms: number) => {
      wall += ms
      up += ms
    },
    set: (to: number) => {
      wall = to
    },
  }
}

it('takes the server’s time for a clock that was never set', () => {
  const { clock, pass } = machine(0)
  expect(clock.known()).toBeUndefined()
  clock.learn(today)
  pass(5_000)
  expect(clock.now()).toBe(today + 5_000)
  expect(clock.ahead()).toBe(-today)
})
it('leaves a clock alone that agrees within what a date can say', () => {
  const { clock } = machine(today + 900)
  clock.learn(today)
  expect([clock.now(), clock.ahead()]).toEqual([today + 900, -0])
})
it('is not led astray when somebody sets the machine’s clock in between', () => {
  const { clock, pass, set } = machine(today + 86_400_000)
  clock.learn(today)
  expect(clock.ahead()).toBe(86_400_000)
  pass(1_000)
  set(0)
  expect(clock.now()).toBe(today + 1_000)
  expect(clock.ahead()).toBe(-(today + 1_000))
})
it('tells afterwards when something was, although no clock was set then', () => {
  const { clock, pass } = machine(0)
  const moment = clock.note(0)
  pass(3_600_000)
  expect(clock.timeOf(moment)).toBeUndefined()
  clock.learn(today)
  expect(clock.timeOf(moment)).toBe(today - 3_600_000)
})
it('keeps its word after the machine has started anew, and admits when nobody can tell', () => {
  const before = machine(0)
  const unknown = before.clock.note(0)
  before.clock.learn(today)
  const known = before.clock.note(0)
  const set = machine(today).clock.note(today)
  const { clock } = machine(0, 'tuesday')
  clock.learn(today + 60_000)
  expect(clock.timeOf(known)).toBe(today)
  expect(clock.timeOf(set)).toBe(today)
  expect(clock.timeOf(unknown)).toBeUndefined()
  // A clock that ran years ahead is no witness either.
  expect(clock.timeOf({ ts: today * 2, up: 1, boot: 'sunday' })).toBeUndefined()
})
