import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { DeviceExtension } from '../device/index.ts'
import type { LicenceKind } from './licence.table.ts'
import { licenceState } from './licence-state.ts'

/** A value of the licence that a device `t` holds. */
const held = (kind: LicenceKind, value: RawBuilder<unknown>) =>
  sql`(select ${value} from licence l where l.device_id = t.id and l.kind = ${sql.lit(kind)} and not l.revoked)`
const stateOf = (kind: LicenceKind) => sql`coalesce(${held(kind, licenceState('l'))}, 'none')`

/** Devices `t` whose licence is in one of these states, or that hold none. Asked so that it can be joined, not row by row. */
const isIn = (kind: LicenceKind) => (states: readonly string[]) => {
  const any = sql`select from licence l where l.device_id = t.id and l.kind = ${sql.lit(kind)} and not l.revoked`
  const stated = states.filter((state) => state !== 'none')
  const conditions = [
    ...(states.includes('none') ? [sql<SqlBool>`not exists (${any})`] : []),
    ...(stated.length > 0 ? [sql<SqlBool>`exists (${any} and ${licenceState('l')} = any(${stated}))`] : []),
  ]
  return sql<SqlBool>`(${conditions.length > 0 ? sql.join(conditions, sql` or `) : sql`true`})`
}

const countIn = (where: RawBuilder<SqlBool>, states: readonly string[]): RawBuilder<number> =>
  sql`(select count(*) from licence l join device t on t.id = l.device_id join department d on d.id = t.department_id
    where l.kind = 'iot' and ${licenceState('l')} = any(${states}) and ${where})`

/** Where an organisation, or one above it, wants a licence, the device needs one that is valid today. */
export const isMissing = sql<SqlBool>`exists (select from department a where d.path <@ a.path and a.licence_required)
  and not exists (select from licence l where l.device_id = t.id and l.kind = 'iot' and not l.revoked
    and l.enabled and l.start_date <= current_date and l.expiry >= current_date)`

/** What the screens of devices show of their licences, and what a licence decides. */
export const licencesOfDevices: DeviceExtension = {
  columns: {
    'device.licence': stateOf('iot'),
    // Phones call through a messaging app, so that licence counts.
    'videoPhone.licence': stateOf('im'),
    'videoPhone.licenceExpiry': held('im', sql`l.expiry`),
  },
  filters: { 'device.licence': isIn('iot'), 'videoPhone.licence': isIn('im') },
  detail: async (db, deviceId) => {
    const { rows } = await sql<{ state: string; expiry: string }>`select ${licenceState('l')} as state, l.expiry
      from licence l where l.device_id = ${deviceId} and l.kind = 'iot' and not l.revoked`.execute(db)
    return { licence: rows[0] ?? null }
  },
  // Certificates of devices are licences of the first kind.
  figures: (where) => ({
    deviceCertCount: countIn(where, ['active', 'expiring']),
    licencesExpiring: countIn(where, ['expiring']),
  }),
  admission: { reason: 'licence', refusedWhen: isMissing },
  farewell: {
    licences: sql`(select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('kind', l.kind, 'licenceNo', l.licence_no,
        'corpId', l.corp_id, 'interface', l.interface, 'expiry', l.expiry)))
      from licence l where l.device_id = t.id and not l.revoked)`,
  },
  // The licence to connect is the device's; the others were bought by the enterprise it leaves.
  handover: async (db, ids) => {
    const { rows: licences } = await sql`select v.sn, l.type, l.enabled, l.start_date, l.expiry, l.create_time
      from licence l join device v on v.id = l.device_id
      where v.id = any(${ids}) and l.kind = 'iot' and not l.revoked`.execute(db)
    return () =>
      sql`insert into licence (kind, device_id, type, enabled, start_date, expiry, create_time)
        select 'iot', v.id, k.type, k.enabled, k.start_date, k.expiry, k.create_time
        from jsonb_to_recordset(${JSON.stringify(licences)}::jsonb) as k(sn text, type smallint, enabled boolean,
          start_date date, expiry date, create_time timestamptz) join device v on v.sn = k.sn`.execute(db)
  },
}
