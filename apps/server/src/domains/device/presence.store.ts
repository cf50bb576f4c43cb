import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import type { Presence, PresenceEntry } from './presence.ts'

const time = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())

/** One row a device: its last word in the batch, with the times of both ends where the batch holds them. */
export const writePresence = async (tx: Db, rows: readonly Presence[]) => {
  if (rows.length === 0) return
  const stored = rows.map((row) => ({
    ...row,
    connectedAt: time(row.connectedAt),
    disconnectedAt: time(row.disconnectedAt),
  }))
  await sql`update device_state s set iot_status = u.status, connected_at = coalesce(u."connectedAt", s.connected_at),
      public_ip = coalesce(u.address, s.public_ip), keepalive = coalesce(u.keepalive, s.keepalive),
      disconnected_at = coalesce(u."disconnectedAt", s.disconnected_at),
      disconnect_reason = coalesce(u.reason, s.disconnect_reason),
      last_seen = greatest(s.last_seen, u."connectedAt", u."disconnectedAt")
    from jsonb_to_recordset(${JSON.stringify(stored)}::jsonb) as u("deviceId" bigint, status text,
      "connectedAt" timestamptz, address text, keepalive int, "disconnectedAt" timestamptz, reason text)
    where s.device_id = u."deviceId"`.execute(tx)
}

export const appendPresence = async (tx: Db, entries: readonly PresenceEntry[]) => {
  if (entries.length === 0) return
  const stored = entries.map((entry) => ({ ...entry, at: time(entry.at) }))
  await sql`insert into presence_log (device_id, time, online, reason, address, detail)
    select d.id, u.at, u.online, u.reason, u.address, u.detail
    from jsonb_to_recordset(${JSON.stringify(stored)}::jsonb) as u("deviceId" bigint, at timestamptz, online boolean,
      reason text, address text, detail text) join device d on d.id = u."deviceId"
    on conflict do nothing`.execute(tx)
}

export const settlePresence = (db: Db, settled: readonly { deviceId: number; status: string }[]) =>
  sql`update device_state s set iot_status = u.status
    from jsonb_to_recordset(${JSON.stringify(settled)}::jsonb) as u("deviceId" bigint, status text)
    where s.device_id = u."deviceId"`.execute(db)

const lost = 'serverRestart'

/**
 * These were connected when the gateway ended: their connection ended with it, whether or not they come back in time to be
 * shown as online all along.
 */
export const writeLost = (db: Db, deviceIds: readonly number[], at: Date) =>
  sql`with lost as (
      update device_state set disconnected_at = ${at}, disconnect_reason = ${lost}
      where device_id = any(${deviceIds}::bigint[]) and coalesce(disconnected_at < ${at}, true) returning device_id)
    insert into presence_log (device_id, time, online, reason) select device_id, ${at}, false, ${lost} from lost
    on conflict do nothing`.execute(db)

/** The same for a server that starts: who was shown as online, and has not come since. */
export const findLeftOnline = async (db: Db, before: Date): Promise<number[]> =>
  (
    await sql<{ id: number }>`select device_id as id from device_state
      where iot_status <> 'offline' and coalesce(connected_at < ${before}, true)
        and coalesce(disconnected_at < connected_at, true)`.execute(db)
  ).rows.map(({ id }) => id)

/** Whoever was there before the gateway started anew and has not come back. */
export const sweepPresence = (db: Db, connected: readonly number[]) =>
  sql`with gone as (
      select device_id, coalesce(disconnected_at < connected_at, true) as untold from device_state
      where iot_status <> 'offline' and device_id <> all(${connected}::bigint[]) for no key update),
    shown as (
      update device_state s set iot_status = 'offline',
        disconnected_at = case when untold then now() else disconnected_at end,
        disconnect_reason = case when untold then ${lost} else disconnect_reason end
      from gone where s.device_id = gone.device_id)
    insert into presence_log (device_id, time, online, reason) select device_id, now(), false, ${lost} from gone where untold
    on conflict do nothing`.execute(db)
