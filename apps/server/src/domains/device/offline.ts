import { type RawBuilder, type SqlBool, sql } from 'kysely'

/**
 * Of a device `t` and its state `s`. Offline is one that is in use and not connected (behaviour: devices.offline); one that
 * was never activated is not offline, and neither the filter nor the figures for offline mean it.
 */
const inUse = sql`t.activation_status <> 0`

/** When one that is not connected was last there. */
export const wentAt = sql`coalesce(s.disconnected_at, s.last_seen)`

/** Since when it has been offline; null for one that is not. */
export const offlineSince = sql`case when s.iot_status = 'offline' and ${inUse} then ${wentAt} end`

/** For every filter by connection. */
export const isConnected = (states: readonly string[]): RawBuilder<SqlBool> =>
  states.includes('offline')
    ? sql`s.iot_status = any(${states}) and (s.iot_status <> 'offline' or ${inUse})`
    : sql`s.iot_status = any(${states})`

/** As what it counts beside the values of that filter. */
export const countedAs = { iotStatus: sql`case when s.iot_status <> 'offline' or ${inUse} then s.iot_status end` }
