import { AppError, type DeviceDetail, type device, deviceErrors, type Row, readableFields } from '@campanile/contract'
import { sql } from 'kysely'
import type { Scope } from '../../kit/actor.ts'
import { inScope } from '../../kit/scope.ts'
import { selection, source } from '../../kit/table.ts'
import type { Db } from '../../platform/db.ts'
import { deviceTable } from './device.table.ts'
import { broughtDetail } from './extension.ts'
import { findProblems } from './problems.ts'

/** A device by its number, or "not found" when there is none within reach: the two look the same from outside. */
export const findDevice = async (db: Db, scope: Scope, sn: string): Promise<Row<typeof device>> => {
  const { rows } = await sql<
    Row<typeof device>
  >`select ${selection(deviceTable, scope, readableFields(deviceTable.resource))}
    from ${source(deviceTable)} where t.sn = ${sn} and ${inScope(deviceTable, scope)}`.execute(db)
  const row = rows[0]
  if (!row) throw new AppError(deviceErrors.notFound, { sn })
  return row
}

type State = Omit<DeviceDetail, 'row' | 'apps' | 'licence' | 'traffic' | 'refused' | 'problems'>

/** Latest values, told as the contract tells them. */
const told = (column: string) => sql`(select coalesce(jsonb_object_agg(key, jsonb_strip_nulls(jsonb_build_object(
    'value', value -> 'v', 'ts', to_char(to_timestamp((value ->> 't')::float8 / 1000), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'received', value -> 'r'))), '{}') from jsonb_each(${sql.ref(column)}))`

const findState = async (db: Db, deviceId: number): Promise<State | undefined> => {
  const { rows } = await sql<State>`select ${told('values')} as values, ${told('own')} as own,
      clock_offset_ms as "clockOffset",
      private_ip as "privateIp", public_ip as "publicIp", keepalive,
      connected_at as "lastConnected", disconnected_at as "lastDisconnected", disconnect_reason as "disconnectReason",
      agent, capabilities, case when kiosk is not null then jsonb_build_object('on', true, 'mode', kiosk -> 'mode',
        'packages', kiosk -> 'packages') end as kiosk
    from device_state where device_id = ${deviceId}`.execute(db)
  return rows[0]
}

const findApps = async (db: Db, deviceId: number): Promise<DeviceDetail['apps']> =>
  (
    await sql<DeviceDetail['apps'][number]>`select package, name, version, enabled from device_app
      where device_id = ${deviceId} order by coalesce(name, package)`.execute(db)
  ).rows

/** Long enough to see that it goes on, short enough to be over when it has been put right. */
const refusedMinutes = 15
const findRefused = async (db: Db, sn: string): Promise<DeviceDetail['refused']> => {
  const { rows } = await sql<NonNullable<DeviceDetail['refused']>>`select time, reason, count from refused_connection
    where sn = ${sn} and time > now() - ${refusedMinutes} * interval '1 minute' order by time desc limit 1`.execute(db)
  return rows[0] ?? null
}

const never: State = {
  values: {},
  own: {},
  clockOffset: null,
  privateIp: null,
  publicIp: null,
  keepalive: null,
  lastConnected: null,
  lastDisconnected: null,
  disconnectReason: null,
  agent: null,
  capabilities: [],
  kiosk: null,
}

export const describeDevice = async (db: Db, row: Row<typeof device>): Promise<Omit<DeviceDetail, 'traffic'>> => {
  const [state, apps, brought, refused, problems] = await Promise.all([
    findState(db, row.id),
    findApps(db, row.id),
    broughtDetail(db, row.id),
    findRefused(db, row.sn),
    findProblems(db, row.id),
  ])
  return { row, ...(state ?? never), apps, ...brought, refused, problems }
}
