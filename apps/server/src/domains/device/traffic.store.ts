import { AppError, commonErrors, protocol } from '@campanile/contract'
import { sql } from 'kysely'
import { backwards } from '../../kit/list/spans.ts'
import type { Db } from '../../platform/db.ts'
import { findCounted } from './telemetry/counted.ts'

export const counters = protocol.trafficCounters
type Counter = (typeof counters)[number]

export interface Traffic {
  limitMb: number | null
  alarmPercent: number | null
  usedMb: number
  days: ({ date: string } & Record<Counter, number>)[]
}

const megabyte = 1_000_000
const none = { mobileUp: 0, mobileDown: 0, wifiUp: 0, wifiDown: 0 }

export interface TrafficSpan {
  readonly month?: string | undefined
  readonly startDate?: string | undefined
  readonly endDate?: string | undefined
}
const dayMs = 86_400_000
const mostDays = 366

export const spanOf = ({ month, startDate, endDate }: TrafficSpan, now: Date) => {
  if (startDate === undefined && endDate === undefined) return monthOf(month, now)
  const last = Date.parse(`${endDate ?? now.toISOString().slice(0, 10)}T00:00:00Z`)
  const from = startDate === undefined ? last - 30 * dayMs : Date.parse(`${startDate}T00:00:00Z`)
  if (from > last) throw backwards(new Date(from).toISOString().slice(0, 10), 'endDate')
  if (last - from > mostDays * dayMs) throw new AppError(commonErrors.timeGapTooLarge)
  return { from, to: Math.min(last + dayMs, now.getTime() + 1) }
}

const monthOf = (month: string | undefined, now: Date) => {
  const [year = 0, number = 1] = (month ?? now.toISOString().slice(0, 7)).split('-').map(Number)
  return { from: Date.UTC(year, number - 1), to: Math.min(Date.UTC(year, number), now.getTime() + 1) }
}

/** The limit of a device and what it used in a month (`2026-01`, the running one when left out) or other span, in bytes by day. */
export const findTraffic = async (db: Db, deviceId: number, span: TrafficSpan = {}): Promise<Traffic> => {
  const { from, to } = spanOf(span, new Date())
  const [limits, counted] = await Promise.all([
    sql<Pick<Traffic, 'limitMb' | 'alarmPercent'>>`select traffic_limit_mb as "limitMb",
      traffic_alarm_percent as "alarmPercent" from device where id = ${deviceId}`.execute(db),
    from < to ? findCounted(db, deviceId, counters, { from, to }) : [],
  ])
  const days = counted.map(({ day, counted: by }) => ({
    date: new Date(day).toISOString().slice(0, 10),
    ...none,
    ...by,
  }))
  const { limitMb = null, alarmPercent = null } = limits.rows[0] ?? {}
  // The limit is the mobile operator's.
  const used = days.reduce((sum, day) => sum + day.mobileUp + day.mobileDown, 0)
  return {
    limitMb,
    alarmPercent,
    usedMb: Math.round(used / megabyte),
    days,
  }
}
