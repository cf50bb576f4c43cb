import { device } from '@campanile/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import type { Notify } from '../../platform/notify.ts'
import { holdersAt } from '../identity/index.ts'
import { findTraffic } from './traffic.store.ts'

interface Limited {
  id: number
  sn: string
  path: string
  limitMb: number
  percent: number
}

/** Counters only move while a device reports, so those that were silent for an hour were looked at when they fell silent. */
const findLimited = async (db: Db, eventId: string): Promise<Limited[]> => {
  const { rows } = await sql<Limited>`select t.id, t.sn, d.path::text as path, t.traffic_limit_mb as "limitMb",
      t.traffic_alarm_percent as percent
    from device t join department d on d.id = t.department_id join device_state s on s.device_id = t.id
    where t.traffic_limit_mb is not null and t.traffic_alarm_percent is not null
      and s.last_seen > now() - interval '1 hour'
      and not exists (select from device_event e where e.device_id = t.id and e.event_id = ${eventId})`.execute(db)
  return rows
}

/**
 * Once a month and device: its share of the limit is used. The event on its timeline is what remembers that it was told,
 * so whichever process writes it first also tells the people who look after the device.
 */
export const warnOfTraffic = async ({ db, notify }: { db: Db; notify: Notify }, now: Date) => {
  const month = now.toISOString().slice(0, 7)
  const eventId = `trafficAlarm-${month}`
  for (const { id, sn, path, limitMb, percent } of await findLimited(db, eventId)) {
    const { usedMb } = await findTraffic(db, id, { month })
    if (usedMb * 100 < limitMb * percent) continue
    await db.transaction().execute(async (transaction) => {
      const tx = transaction as Db
      const { rows } = await sql`insert into device_event (device_id, event_id, time, type, level, data, received)
        values (${id}, ${eventId}, ${now}, 'trafficAlarm', 'major',
          ${JSON.stringify({ usedMb, limitMb, percent })}::jsonb, ${now})
        on conflict do nothing returning 1`.execute(tx)
      if (rows.length === 0) return
      await notify.notify(tx, await holdersAt(tx, device.perms.list, path), {
        type: 'alert',
        word: 'trafficAlarm',
        data: { sn, usedMb, limitMb, percent },
        link: `/device/traffic/${encodeURIComponent(sn)}`,
      })
    })
  }
}
