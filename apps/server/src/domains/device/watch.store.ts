import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import type { Latest } from './latest.ts'

export interface Seen {
  readonly sn: string
  /** Where it stands now, which decides who may see it. */
  readonly path: string
  readonly iotStatus: string
  readonly values: Latest
  /** Columns of the device list that are the device's own word, or follow from what it did. */
  readonly facts: Readonly<Record<string, string | number | boolean | null>>
}

export const findSeen = async (db: Db, sns: readonly string[]): Promise<Seen[]> => {
  const { rows } = await sql<Omit<Seen, 'facts'> & Seen['facts']>`select t.sn, d.path::text as path,
      s.iot_status as "iotStatus", s.values, s.connected_at as "lastConnected", s.public_ip as ip,
      s.firmware_version as "firmwareVersion", s.system_version as "systemVersion", s.locked, t.model,
      t.activation_status as "activationStatus"
    from device t join device_state s on s.device_id = t.id join department d on d.id = t.department_id
    where t.sn = any(${sns})`.execute(db)
  return rows.map(({ sn, path, iotStatus, values, ...facts }) => ({ sn, path, iotStatus, values, facts }))
}

/** What is new since the last look; undefined when nothing is. Without an earlier look everything is. */
export const newsOf = (now: Seen, before: Seen | undefined) => {
  const values = Object.entries(now.values).filter(([name, value]) => {
    const held = before?.values[name as keyof Latest]
    return held?.t !== value.t || held.v !== value.v
  })
  const moved = now.iotStatus !== before?.iotStatus
  const facts = Object.entries(now.facts).filter(([name, value]) => before?.facts[name] !== value)
  if (!moved && values.length === 0 && facts.length === 0) return undefined
  return {
    type: 'device',
    sn: now.sn,
    ...(moved && { iotStatus: now.iotStatus }),
    ...(facts.length > 0 && { facts: Object.fromEntries(facts) }),
    ...(values.length > 0 && {
      values: Object.fromEntries(
        values.map(([name, { v, t, r }]) => [name, { value: v, ts: t, ...(r && { received: true }) }]),
      ),
    }),
  }
}
