import { expect, it } from 'vitest'
import { missingOf, timingOf } from './timing.ts'

it('asks for a time before it says who receives it at one, and never says “now” meanwhile', () => {
  const when = timingOf({ kind: 'time', time: null, days: 7 }, { waitMinutes: 60 })
  expect(missingOf({ targets: {}, command: 'message', args: {}, time: !when.wrong })).toBe('time')
})

it('leaves the times of a maintenance window to the window', () => {
  expect(timingOf({ kind: 'window', time: '2020-01-01T00:00:00Z', days: 7 }, { waitMinutes: 60 })).toEqual({
    wrong: false,
    input: { maintenance: true },
  })
})

it('asks for what comes first on the page first', () => {
  expect(missingOf({ targets: undefined, command: undefined, args: undefined, time: true })).toBe('targets')
  expect(missingOf({ targets: {}, command: 'message', args: undefined, time: false })).toBe('args')
  expect(missingOf({ targets: {}, command: 'message', args: {}, time: true })).toBe(undefined)
})
