import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import type { Latest, Own, Told } from './latest.ts'

export interface Seen {
  readonly sn: string
  /** Where it stands now, which decides who may see it. */
  readonly path: string
  readonly iotStatus: string
  readonly values: Latest
  /** Values by the device's own names; only of devices whose page somebody has open. */
  readonly own: Own
  /** Columns of the device list that are the device's own word, or follow from what it did. */
  readonly facts: Readonly<Record<string, string | number | boolean | null>>
}

/** `open`: those of them whose page is open. A list shows nothing of a device's own, and there may be much of it. */
export const findSeen = async (db: Db, sns: readonly string[], open: readonly string[]): Promise<Seen[]> => {
  const { rows } = await sql<Omit<Seen, 'facts'> & Seen['facts']>`select t.sn, d.path::text as path,
      s.iot_status as "iotStatus", s.values,
      case when t.sn = any(${open}) then s.own else '{}' end as own, s.connected_at as "lastConnected", s.public_ip as ip,
      s.firmware_version as "firmwareVersion", s.system_version as "systemVersion", s.locked, t.model,
      t.activation_status as "activationStatus"
    from device t join device_state s on s.device_id = t.id join department d on d.id = t.department_id
    where t.sn = any(${sns})`.execute(db)
  return rows.map(({ sn, path, iotStatus, values, own, ...facts }) => ({ sn, path, iotStatus, values, own, facts }))
}

type Values = Readonly<Record<string, Told>>

const newer = (now: Values, before: Values = {}) => {
  const changed = Object.entries(now).filter(([name, { v, t }]) => before[name]?.t !== t || before[name]?.v !== v)
  if (changed.length === 0) return undefined
  return Object.fromEntries(
    changed.map(([name, { v, t, r }]) => [name, { value: v, ts: t, ...(r && { received: true }) }]),
  )
}

/** What is new since the last look; undefined when nothing is. Without an earlier look everything is. */
export const newsOf = (now: Seen, before: Seen | undefined) => {
  const values = newer(now.values as Values, before?.values as Values | undefined)
  const own = newer(now.own, before?.own)
  const moved = now.iotStatus !== before?.iotStatus
  const facts = Object.entries(now.facts).filter(([name, value]) => before?.facts[name] !== value)
  if (!moved && !values && !own && facts.length === 0) return undefined
  return {
    type: 'device',
    sn: now.sn,
    ...(moved && { iotStatus: now.iotStatus }),
    ...(facts.length > 0 && { facts: Object.fromEntries(facts) }),
    ...(values && { values }),
    ...(own && { own }),
  }
}
