import { expect, test } from 'vitest'
import { hoursAt, nextTime, type Recurrence, type RecurringHours } from './recurrence.ts'

const berlin = { at: '02:30', zone: 'Europe/Berlin' }

test.each<[string, Recurrence, string, string]>([
  ['later today', { at: '03:30', zone: 'UTC' }, '2026-03-01T03:29:59Z', '2026-03-01T03:30:00Z'],
  ['tomorrow, when it is now', { at: '03:30', zone: 'UTC' }, '2026-03-01T03:30:00Z', '2026-03-02T03:30:00Z'],
  ['by the clocks of the zone', { at: '03:30', zone: 'Asia/Shanghai' }, '2026-03-01T00:00:00Z', '2026-03-01T19:30:00Z'],
  ['in a zone of half hours', { at: '00:00', zone: 'Asia/Kolkata' }, '2026-03-01T00:00:00Z', '2026-03-01T18:30:00Z'],
  ['before clocks go forward', berlin, '2026-03-28T00:00:00Z', '2026-03-28T01:30:00Z'],
  ['on the night they go forward, once, after the jump', berlin, '2026-03-28T12:00:00Z', '2026-03-29T01:30:00Z'],
  ['after that night', berlin, '2026-03-29T01:30:00Z', '2026-03-30T00:30:00Z'],
  ['on the night they go back, the first time', berlin, '2026-10-24T12:00:00Z', '2026-10-25T00:30:00Z'],
  ['and not a second time', berlin, '2026-10-25T00:30:00Z', '2026-10-26T01:30:00Z'],
  ['at noon on both sides', { at: '12:00', zone: 'America/New_York' }, '2026-11-01T00:00:00Z', '2026-11-01T17:00:00Z'],
  ['on the day after', { at: '12:00', zone: 'America/New_York' }, '2026-10-31T00:00:00Z', '2026-10-31T16:00:00Z'],
  [
    'where midnight is jumped over',
    { at: '00:00', zone: 'America/Asuncion' },
    '2023-09-30T12:00:00Z',
    '2023-10-01T04:00:00Z',
  ],
  [
    'over the line of dates',
    { at: '08:00', zone: 'Pacific/Kiritimati' },
    '2026-02-28T17:59:00Z',
    '2026-02-28T18:00:00Z',
  ],
  ['on Mondays', { at: '09:00', weekdays: [1], zone: 'UTC' }, '2026-03-02T09:00:00Z', '2026-03-09T09:00:00Z'],
  ['at week-ends', { at: '09:00', weekdays: [6, 7], zone: 'UTC' }, '2026-03-02T09:00:00Z', '2026-03-07T09:00:00Z'],
  [
    'on a Sunday of the zone',
    { at: '01:00', weekdays: [7], zone: 'Asia/Tokyo' },
    '2026-03-02T00:00:00Z',
    '2026-03-07T16:00:00Z',
  ],
])('comes again %s', (_, recurrence, after, next) => {
  expect(nextTime(recurrence, new Date(after)).toISOString()).toBe(new Date(next).toISOString())
})

test('comes exactly once a day over years of changing clocks', () => {
  let at = new Date('2024-01-01T00:00:00Z')
  for (let day = 0; day < 1_000; day += 1) {
    const next = nextTime(berlin, at)
    const hours = (next.getTime() - at.getTime()) / 3_600_000
    if (day > 0) expect([23, 24, 25]).toContain(hours)
    at = next
  }
})

const nights = { from: '02:00', to: '04:00', zone: 'Europe/Paris' }
const overMidnight = { from: '22:00', to: '02:30', zone: 'Europe/Paris' }

test.each<[string, RecurringHours, string, [string, string]]>([
  ['the next', nights, '2026-03-01T12:00:00Z', ['2026-03-02T01:00:00Z', '2026-03-02T03:00:00Z']],
  ['those under way', nights, '2026-03-02T02:59:59Z', ['2026-03-02T01:00:00Z', '2026-03-02T03:00:00Z']],
  ['those that open now', nights, '2026-03-02T01:00:00Z', ['2026-03-02T01:00:00Z', '2026-03-02T03:00:00Z']],
  ['the next when they close', nights, '2026-03-02T03:00:00Z', ['2026-03-03T01:00:00Z', '2026-03-03T03:00:00Z']],
  ['those of yesterday', overMidnight, '2026-03-02T00:30:00Z', ['2026-03-01T21:00:00Z', '2026-03-02T01:30:00Z']],
  ['those of tonight', overMidnight, '2026-03-02T12:00:00Z', ['2026-03-02T21:00:00Z', '2026-03-03T01:30:00Z']],
  // 29 March: clocks go from 02:00 to 03:00.
  ['shorter ones in spring', nights, '2026-03-28T12:00:00Z', ['2026-03-29T01:00:00Z', '2026-03-29T02:00:00Z']],
  ['the last before spring', nights, '2026-03-27T12:00:00Z', ['2026-03-28T01:00:00Z', '2026-03-28T03:00:00Z']],
  [
    'none in a night that jumps over them',
    { ...nights, to: '03:00' },
    '2026-03-28T12:00:00Z',
    ['2026-03-30T00:00:00Z', '2026-03-30T01:00:00Z'],
  ],
  [
    'none that would end before they begin',
    { ...nights, from: '02:30', to: '03:10' },
    '2026-03-28T12:00:00Z',
    ['2026-03-30T00:30:00Z', '2026-03-30T01:10:00Z'],
  ],
  ['over midnight in spring', overMidnight, '2026-03-28T12:00:00Z', ['2026-03-28T21:00:00Z', '2026-03-29T01:30:00Z']],
  // 25 October: clocks go from 03:00 back to 02:00.
  ['longer ones in autumn', nights, '2026-10-24T12:00:00Z', ['2026-10-25T00:00:00Z', '2026-10-25T03:00:00Z']],
  ['still those in the second hour', nights, '2026-10-25T02:59:00Z', ['2026-10-25T00:00:00Z', '2026-10-25T03:00:00Z']],
  ['over midnight in autumn', overMidnight, '2026-10-24T12:00:00Z', ['2026-10-24T20:00:00Z', '2026-10-25T00:30:00Z']],
  [
    'by other clocks',
    { ...nights, zone: 'America/New_York' },
    '2026-10-31T12:00:00Z',
    ['2026-11-01T07:00:00Z', '2026-11-01T09:00:00Z'],
  ],
  [
    'on the days they begin',
    { ...overMidnight, weekdays: [6] },
    '2026-03-02T12:00:00Z',
    ['2026-03-07T21:00:00Z', '2026-03-08T01:30:00Z'],
  ],
  [
    'on the day after, while they last',
    { ...overMidnight, weekdays: [6] },
    '2026-03-08T01:00:00Z',
    ['2026-03-07T21:00:00Z', '2026-03-08T01:30:00Z'],
  ],
])('hours that come again are %s', (_, hours, now, [opens, closes]) => {
  const found = hoursAt(hours, new Date(now))
  expect([found.opens, found.closes]).toEqual([new Date(opens), new Date(closes)])
})
