import { expect, it } from 'vitest'
import { groupByDay, isExpired } from './groups.ts'
import type { NotificationEntry } from './notifications.ts'

const entry = (id: number, title: string, createTime: string, rest: Partial<NotificationEntry> = {}) =>
  ({ id, type: 'task', title, text: '', read: false, createTime, ...rest }) as NotificationEntry

it('puts together what was said of one kind on one day, in the order in which it came', () => {
  const days = groupByDay([
    entry(4, 'Task finished', '2026-03-02T12:00:00'),
    entry(3, 'Export ready', '2026-03-02T11:00:00', { type: 'export', file: { id: 9, until: null } }),
    entry(2, 'Task finished', '2026-03-02T10:00:00'),
    entry(1, 'Task finished', '2026-03-01T10:00:00'),
  ])
  expect(days.map(({ day, groups }) => [day, groups.map(({ rows }) => rows.map(({ id }) => id))])).toEqual([
    ['2026-03-02', [[4, 2], [3]]],
    ['2026-03-01', [[1]]],
  ])
})

it('offers every file for itself, and none that is past its time', () => {
  const file = { type: 'export', file: { id: 9, until: '2026-03-09T00:00:00Z' } } as const
  const [day] = groupByDay([entry(1, 'Export ready', '2026-03-02', file), entry(2, 'Export ready', '2026-03-02', file)])
  expect(day?.groups).toHaveLength(2)
  expect(isExpired(file.file, Date.parse('2026-03-08T23:59:00Z'))).toBe(false)
  expect(isExpired(file.file, Date.parse('2026-03-09T00:00:00Z'))).toBe(true)
})
