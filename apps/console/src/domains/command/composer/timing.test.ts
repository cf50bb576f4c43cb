import { expect, it } from 'vitest'
import { missingOf, shareOf, timingOf } from './timing.ts'

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

it('tells those whose window is open from those who wait for theirs', () => {
  const windows = [
    { open: true, devices: 30 },
    { open: false, devices: 73 },
  ]
  expect(shareOf(103, { maintenance: true }, windows)).toEqual({ now: 30, later: 73 })
  expect(shareOf(103, { sendTime: '2030-01-01T00:00:00Z' })).toEqual({ now: 0, later: 103 })
  expect(shareOf(103, {})).toEqual({ now: 103, later: 0 })
})
