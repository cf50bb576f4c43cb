import { sql } from 'kysely'
import type { Scope } from '../../kit/actor.ts'
import { inScope } from '../../kit/scope.ts'
import { source, type Table } from '../../kit/table.ts'
import type { Db } from '../../platform/db.ts'
import type { LicenceKind } from './licence.table.ts'

/** What one kind or another says beside its term; absent ones are the other kinds'. */
export interface Term {
  readonly months: number
  readonly type?: number | undefined
  readonly corpId?: string | undefined
  readonly licenceNo?: string | undefined
  readonly chargeType?: string | undefined
  readonly interface?: string | undefined
}

const monthsOn = (months: number) => sql`${months} * interval '1 month'`

/** One licence of a kind per device: who has one already gets the term on top of it. */
export const authorise = (db: Db, kind: LicenceKind, deviceIds: readonly number[], term: Term) =>
  sql`insert into licence as held (kind, device_id, type, corp_id, licence_no, charge_type, interface, start_date, expiry)
    select ${kind}, id, ${term.type ?? 0}, ${term.corpId ?? null}, ${term.licenceNo ?? null}, ${term.chargeType ?? null},
      ${term.interface ?? null}, current_date, (current_date + ${monthsOn(term.months)})::date
    from unnest(${deviceIds}::bigint[]) d(id) order by id
    on conflict (kind, device_id) where not revoked do update set type = excluded.type,
      corp_id = coalesce(excluded.corp_id, held.corp_id), licence_no = coalesce(excluded.licence_no, held.licence_no),
      charge_type = coalesce(excluded.charge_type, held.charge_type),
      interface = coalesce(excluded.interface, held.interface),
      expiry = (greatest(held.expiry, current_date) + ${monthsOn(term.months)})::date`.execute(db)

export interface Held {
  id: number
  sn: string
  revoked: boolean
}
export const lockLicences = async (db: Db, table: Table, scope: Scope, ids: readonly number[]): Promise<Held[]> =>
  (
    await sql<Held>`select t.id, v.sn, t.revoked from ${source(table)}
      where t.id = any(${ids}) and ${inScope(table, scope)} order by t.id for update of t`.execute(db)
  ).rows

/** From today where it has run out, from its end where it has not. */
export const renew = (db: Db, ids: readonly number[], months: number) =>
  sql`update licence set expiry = (greatest(expiry, current_date) + ${monthsOn(months)})::date
    where id = any(${ids})`.execute(db)

export const revoke = (db: Db, ids: readonly number[]) =>
  sql`update licence set revoked = true where id = any(${ids})`.execute(db)

export const setEnabled = (db: Db, ids: readonly number[], enabled: boolean) =>
  sql`update licence set enabled = ${enabled} where id = any(${ids})`.execute(db)
