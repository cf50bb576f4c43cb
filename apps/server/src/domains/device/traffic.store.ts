import { AppError, commonErrors, type protocol } from '@campanile/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import { findHistory } from './telemetry/history.ts'

export const counters = ['mobileUp', 'mobileDown', 'wifiUp', 'wifiDown'] as const satisfies protocol.TelemetryName[]
type Counter = (typeof counters)[number]

export interface Traffic {
  limitMb: number | null
  alarmPercent: number | null
  usedMb: number
  days: ({ date: string } & Record<Counter, number>)[]
}

const hourMs = 3_600_000
const megabyte = 1_000_000
const none = { mobileUp: 0, mobileDown: 0, wifiUp: 0, wifiDown: 0 }

export interface Reading {
  readonly t: number
  readonly min: number
  readonly max: number
}

/**
 * What a counter that only goes up has counted from one reading to the next. One that stands lower than before began
 * anew (the device restarted): what it counted since then is what counts. When it began anew within a reading, what it
 * counted until then does; the rest of that hour is not told apart from the old count, which must not be counted twice.
 */
export const increases = (readings: readonly Reading[]): { t: number; by: number }[] =>
  readings.map(({ t, min, max }, at) => {
    const before = readings[at - 1]
    return { t, by: before && max >= before.max ? max - before.max : max - min }
  })

export interface TrafficSpan {
  readonly month?: string | undefined
  readonly startDate?: string | undefined
  readonly endDate?: string | undefined
}
const dayMs = 24 * hourMs
const mostDays = 366

export const spanOf = ({ month, startDate, endDate }: TrafficSpan, now: Date) => {
  if (startDate === undefined && endDate === undefined) return monthOf(month, now)
  const last = Date.parse(`${endDate ?? now.toISOString().slice(0, 10)}T00:00:00Z`)
  const from = startDate === undefined ? last - 30 * dayMs : Date.parse(`${startDate}T00:00:00Z`)
  if (from > last || last - from > mostDays * dayMs) throw new AppError(commonErrors.timeGapTooLarge)
  return { from, to: Math.min(last + dayMs, now.getTime() + 1) }
}

const monthOf = (month: string | undefined, now: Date) => {
  const [year = 0, number = 1] = (month ?? now.toISOString().slice(0, 7)).split('-').map(Number)
  return { from: Date.UTC(year, number - 1), to: Math.min(Date.UTC(year, number), now.getTime() + 1) }
}

/** The limit of a device and what it used in a month (`2026-01`, the running one when left out) or other span, in bytes by day. */
export const findTraffic = async (db: Db, deviceId: number, span: TrafficSpan = {}): Promise<Traffic> => {
  const { from, to } = spanOf(span, new Date())
  // An hour more, to tell what the first one began with; always hour by hour, however short the month still is.
  const range = { from: Math.min(from, to - 48 * hourMs) - hourMs, to }
  const [limits, { series }] = await Promise.all([
    sql<Pick<Traffic, 'limitMb' | 'alarmPercent'>>`select traffic_limit_mb as "limitMb",
      traffic_alarm_percent as "alarmPercent" from device where id = ${deviceId}`.execute(db),
    from < to ? findHistory(db, deviceId, counters, range) : { series: {} },
  ])
  const days = new Map<string, Record<Counter, number>>()
  for (const name of counters)
    for (const { t, by } of increases(series[name as keyof typeof series] ?? [])) {
      if (t < from) continue
      const date = new Date(t).toISOString().slice(0, 10)
      const day = days.get(date) ?? { ...none }
      day[name] += by
      days.set(date, day)
    }
  const { limitMb = null, alarmPercent = null } = limits.rows[0] ?? {}
  const sorted = [...days].sort(([a], [b]) => (a < b ? -1 : 1))
  // The limit is the mobile operator's.
  const used = sorted.reduce((sum, [, day]) => sum + day.mobileUp + day.mobileDown, 0)
  return {
    limitMb,
    alarmPercent,
    usedMb: Math.round(used / megabyte),
    days: sorted.map(([date, day]) => ({ date, ...day })),
  }
}
