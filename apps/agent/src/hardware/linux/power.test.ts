import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { cronPlan, daysUntilOn } from './power.ts'

const plan = (off: string, on: string, weekdays: number[]) => ({ off, on, weekdays, enabled: true })

it.each([
  ['off in the evening, on the next morning', 1, plan('22:00', '07:00', [1, 2, 3, 4, 5]), 1],
  ['off on Friday, on again on Monday', 5, plan('22:00', '07:00', [1, 2, 3, 4, 5]), 3],
  ['off at noon, on in the afternoon of the same day', 3, plan('12:00', '13:00', [3]), 0],
  ['once a week', 7, plan('22:00', '07:00', [7]), 7],
  ['Sunday to Monday', 7, plan('23:00', '06:00', [1, 7]), 1],
])('%s', (_what, weekday, schedule, days) => {
  expect(daysUntilOn(weekday, schedule)).toBe(days)
})

it('writes a line for each weekday that cron and date understand', () => {
  const lines = cronPlan(plan('22:05', '07:00', [5, 1]))
    .split('\n')
    .slice(2, 4)
  expect(lines).toEqual([
    `5 22 * * 1 root rtcwake -m off -t "$(date +\\%s -d '4 days 07:00')"`,
    `5 22 * * 5 root rtcwake -m off -t "$(date +\\%s -d '3 days 07:00')"`,
  ])
  const then = Number(execFileSync('date', ['+%s', '-d', '3 days 07:00'], { encoding: 'utf8' }))
  expect(then).toBeGreaterThan(Date.now() / 1000)
})
