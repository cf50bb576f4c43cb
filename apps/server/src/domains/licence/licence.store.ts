import { AppError, deviceLicences, type LicenceCount, licenceErrors } from '@campanile/contract'
import { sql } from 'kysely'
import type { Scope } from '../../kit/actor.ts'
import { inScope, reaches } from '../../kit/scope.ts'
import { source, type Table } from '../../kit/table.ts'
import type { Db } from '../../platform/db.ts'
import { isMissing } from './device-extension.ts'
import type { LicenceKind } from './licence.table.ts'
import { licenceState } from './licence-state.ts'

/** What one kind or another says beside its term; absent ones are the other kinds'. */
export interface Term {
  readonly months: number
  readonly type?: number | undefined
  readonly corpId?: string | null | undefined
  readonly licenceNo?: string | null | undefined
  readonly chargeType?: string | null | undefined
  readonly interface?: string | null | undefined
}

/** Beyond it a licence is a slip, or somebody's renewing without end. */
const yearsMax = 30
const tooLong = sql<boolean>`expiry > (current_date + ${yearsMax} * interval '1 year')::date`
const refuseTooLong = <R extends { tooLong: boolean }>(rows: readonly R[]): readonly R[] => {
  if (rows.some((row) => row.tooLong)) throw new AppError(licenceErrors.termTooLong, { years: yearsMax })
  return rows
}

const monthsOn = (months: number) => sql`${months} * interval '1 month'`

/** One licence of a kind per device: who has one already gets the term on top of it. */
export const authorise = async (db: Db, kind: LicenceKind, deviceIds: readonly number[], term: Term) => {
  const { rows } = await sql<{
    id: number
    tooLong: boolean
  }>`insert into licence as held (kind, device_id, type, corp_id, licence_no, charge_type, interface, start_date, expiry)
    select ${kind}, id, ${term.type ?? 0}, ${term.corpId ?? null}, ${term.licenceNo ?? null}, ${term.chargeType ?? null},
      ${term.interface ?? null}, current_date, (current_date + ${monthsOn(term.months)})::date
    from unnest(${deviceIds}::bigint[]) d(id) order by id
    on conflict (kind, device_id) where not revoked do update set type = excluded.type,
      corp_id = coalesce(excluded.corp_id, held.corp_id), licence_no = coalesce(excluded.licence_no, held.licence_no),
      charge_type = coalesce(excluded.charge_type, held.charge_type),
      interface = coalesce(excluded.interface, held.interface),
      expiry = (greatest(held.expiry, current_date) + ${monthsOn(term.months)})::date
    returning id, ${tooLong} as "tooLong"`.execute(db)
  return refuseTooLong(rows)
}

/** Of each kind, the devices of an organisation and of what stands below it by what they hold. */
export const countLicences = async (
  db: Db,
  scope: Scope,
  departmentId: number,
  kinds: readonly LicenceKind[],
): Promise<LicenceCount[]> => {
  const { rows } = await sql<LicenceCount>`select k.kind, ${sql.join(
    deviceLicences.map((state) => sql`count(*) filter (where h.state = ${state}) as ${sql.ref(state)}`),
  )}
    from unnest(${kinds}::text[]) with ordinality k(kind, at)
      cross join (select t.id from device t join department d on d.id = t.department_id
        where ${reaches(scope, sql`d.path`)}
          and d.path <@ (select chosen.path from department chosen where chosen.id = ${departmentId})) t
      left join licence l on l.device_id = t.id and l.kind = k.kind and not l.revoked
      cross join lateral (select case when l.id is null then 'none' else ${licenceState('l')} end as state) h
    group by k.kind, k.at order by k.at`.execute(db)
  return kinds.map(
    (kind) =>
      rows.find((row) => row.kind === kind) ?? { kind, active: 0, expiring: 0, expired: 0, disabled: 0, none: 0 },
  )
}

/**
 * Connected devices whose licence ended with yesterday. Nothing is written at midnight, so the gateways are told; each that
 * has gone is told of no more.
 */
export const endExpired = (db: Db) =>
  sql`select pg_notify('device_access', t.sn) from licence l join device t on t.id = l.device_id
      join department d on d.id = t.department_id join device_state s on s.device_id = t.id
    where l.kind = 'iot' and not l.revoked and l.expiry = current_date - 1 and s.iot_status <> 'offline' and ${isMissing}`.execute(
    db,
  )

export interface LockedLicence {
  id: number
  sn: string
  path: string
  revoked: boolean
}
export const lockLicences = async (
  db: Db,
  table: Table,
  scope: Scope,
  ids: readonly number[],
): Promise<LockedLicence[]> =>
  (
    await sql<LockedLicence>`select t.id, v.sn, d.path::text as path, t.revoked from ${source(table)}
      where t.id = any(${ids}) and ${inScope(table, scope)} order by t.id for update of t`.execute(db)
  ).rows

/** From today where it has run out, from its end where it has not. */
export const renew = async (db: Db, ids: readonly number[], months: number) => {
  const { rows } = await sql<{ tooLong: boolean }>`update licence
    set expiry = (greatest(expiry, current_date) + ${monthsOn(months)})::date
    where id = any(${ids}) returning ${tooLong} as "tooLong"`.execute(db)
  refuseTooLong(rows)
}

export const revoke = (db: Db, ids: readonly number[]) =>
  sql`update licence set revoked = true where id = any(${ids})`.execute(db)

export const setEnabled = (db: Db, ids: readonly number[], enabled: boolean) =>
  sql`update licence set enabled = ${enabled} where id = any(${ids})`.execute(db)
