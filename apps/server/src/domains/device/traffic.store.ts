import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'

export interface Traffic {
  limitMb: number | null
  alarmPercent: number | null
  usedMb: number
  days: { date: string; mobileUp: number; mobileDown: number; wifiUp: number; wifiDown: number }[]
}

/** The limit of a device and what it used of it in a month (`2026-01`, the running one when left out). */
export const findTraffic = async (db: Db, deviceId: number, _month: string | undefined): Promise<Traffic> => {
  const { rows } = await sql<Pick<Traffic, 'limitMb' | 'alarmPercent'>>`select traffic_limit_mb as "limitMb",
    traffic_alarm_percent as "alarmPercent" from device where id = ${deviceId}`.execute(db)
  const { limitMb = null, alarmPercent = null } = rows[0] ?? {}
  return { limitMb, alarmPercent, usedMb: 0, days: [] }
}
