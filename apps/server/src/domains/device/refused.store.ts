import type { AnswerOf, refusedConnections } from '@campanile/contract'
import { type RawBuilder, sql } from 'kysely'
import type { RefusedAttempt } from '../../gateway/wire.ts'
import type { Scope } from '../../kit/actor.ts'
import { reaches } from '../../kit/scope.ts'
import type { Db } from '../../platform/db.ts'
import { toJsonb } from '../../platform/jsonb.ts'
import { broughtParts } from './extension.ts'

const kept = 10_000
/** Different serial numbers nobody has registered, of one network; further ones become one row without a number. */
const strangersKept = 100
/** Addresses of one registered device; further ones become one row without an address. */
const addressesKept = 20
const shown = 200

/** As `networkOf` has it: somebody with an IPv6 /64 is one, and what was counted together stands by its network already. */
const network = sql`case when r.address ~ '^[0-9a-f:.]*:[0-9a-f:.]*$'
  then network(set_masklen(r.address::inet, 64))::text else r.address end`

/** Whose a serial number is that nobody has registered. */
const reservedFor = (sn: RawBuilder<unknown>) => broughtParts('reservedFor').map((ask) => ask(sn))

export type Counted = RefusedAttempt & { count: number }

/** The same attempt again only counts up. Answers how many were seen for the first time. */
export const recordRefusals = async (db: Db, counted: readonly Counted[]): Promise<number> => {
  const { rows } = await sql<{ isNew: boolean }>`
    insert into refused_connection as r (sn, address, reason, count, first_time, time, detail, department_id)
    select u.sn, u.address, u.reason, u.count, now(), now(), u.message, coalesce(
      ${sql.join([sql`(select t.department_id from device t where t.sn = u.sn)`, ...reservedFor(sql`u.sn`)])})
    from jsonb_to_recordset(${toJsonb(counted)}::jsonb)
      as u(sn text, address text, reason text, count bigint, message jsonb)
    on conflict (sn, address, reason) do update set count = r.count + excluded.count, time = excluded.time,
      detail = coalesce(excluded.detail, r.detail), department_id = excluded.department_id
    returning xmax = 0 as "isNew"`.execute(db)
  return rows.filter(({ isNew }) => isNew).length
}

/**
 * Keeps the table small whoever knocks: what is too much of one network, or of one device, is counted together, so that it
 * cannot push out what is known of others. The oldest of all go when there are still too many.
 */
export const trimRefusals = (db: Db) =>
  db.transaction().execute(async (tx) => {
    await sql`with ranked as (
        select r.ctid as place, r.department_id is not null as owned,
          row_number() over (partition by r.sn order by r.time desc) as of_device,
          row_number() over (partition by ${network} order by r.department_id is not null, r.time desc) as of_network
        from refused_connection r where r.sn <> '' and r.address <> ''),
      gone as (
        delete from refused_connection r using ranked k where r.ctid = k.place
          and case when k.owned then k.of_device > ${addressesKept} else k.of_network > ${strangersKept} end
        returning case when k.owned then r.sn else '' end as sn, case when k.owned then '' else ${network} end as address,
          r.reason, r.count, r.first_time, r.time, r.detail, r.department_id)
      insert into refused_connection as r (sn, address, reason, count, first_time, time, detail, department_id)
      select sn, address, reason, sum(count), min(first_time), max(time), (array_agg(detail order by time desc))[1],
        max(department_id)
      from gone group by sn, address, reason
      on conflict (sn, address, reason) do update set count = r.count + excluded.count,
        first_time = least(r.first_time, excluded.first_time), time = greatest(r.time, excluded.time),
        detail = coalesce(excluded.detail, r.detail)`.execute(tx)
    await sql`delete from refused_connection r using (
        select k.ctid as place, row_number() over
          (order by k.department_id is not null desc, k.time desc) as rank
        from refused_connection k) k
      where r.ctid = k.place and k.rank > ${kept}`.execute(tx)
  })

/**
 * Serial numbers that nobody has registered belong to whoever made a code for them; those without one belong to no
 * organisation, so only the installation's own people see them.
 */
export const findRefusals = async (db: Db, scope: Scope) => {
  const { rows } = await sql<AnswerOf<typeof refusedConnections>['rows'][number]>`
    select r.time, r.first_time as "firstTime", nullif(r.sn, '') as sn, nullif(r.address, '') as address, r.reason, r.count,
      r.detail as message
    from refused_connection r
    left join device t on t.sn = r.sn left join department d on d.id = coalesce(t.department_id, r.department_id)
    where ${reaches(scope, sql`d.path`)}
    order by r.time desc limit ${shown}`.execute(db)
  return rows
}
