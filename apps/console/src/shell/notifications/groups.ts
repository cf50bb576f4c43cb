import { dayText } from '../../kit/time.ts'
import type { NotificationEntry } from './notifications.ts'

/** Several of one kind on one day, the newest first. */
export interface NotificationGroup {
  readonly key: string
  readonly rows: readonly NotificationEntry[]
}
export interface NotificationDay {
  readonly day: string
  readonly groups: readonly NotificationGroup[]
}

/** What was said of one kind on one day stands together; a file to be fetched stands for itself. */
export const groupByDay = (rows: readonly NotificationEntry[]): NotificationDay[] => {
  const days = new Map<string, Map<string, NotificationEntry[]>>()
  for (const row of rows) {
    const day = dayText(new Date(row.createTime))
    const groups = days.get(day) ?? new Map<string, NotificationEntry[]>()
    days.set(day, groups)
    const key = row.file ? `file ${row.id}` : `${row.type} ${row.title ?? ''} ${row.title === undefined ? row.id : ''}`
    groups.set(key, [...(groups.get(key) ?? []), row])
  }
  return [...days].map(([day, groups]) => ({ day, groups: [...groups].map(([key, some]) => ({ key, rows: some })) }))
}

/** Whether a file can still be fetched; unknown until somebody tries. */
export const isExpired = ({ until }: { until: string | null }, now: number): boolean =>
  until !== null && Date.parse(until) <= now
