import type { AnswerOf, refusedConnections } from '@campanile/contract'
import { sql } from 'kysely'
import type { Refusal } from '../../gateway/wire.ts'
import type { Scope } from '../../kit/actor.ts'
import type { Db } from '../../platform/db.ts'

const kept = 10_000
const shown = 200

/** The same attempt again only counts up. */
export const recordRefusals = async (db: Db, refusals: readonly Refusal[]) => {
  const counted = new Map<string, Refusal & { count: number }>()
  for (const refusal of refusals) {
    const key = `${refusal.sn}\n${refusal.address}\n${refusal.reason}`
    const row = counted.get(key) ?? { ...refusal, count: 0 }
    row.count += 1
    counted.set(key, row)
  }
  await sql`insert into refused_connection as r (sn, address, reason, count, time)
    select u.sn, u.address, u.reason, u.count, now()
    from jsonb_to_recordset(${JSON.stringify([...counted.values()])}::jsonb) as u(sn text, address text, reason text, count bigint)
    on conflict (sn, address, reason) do update set count = r.count + excluded.count, time = excluded.time`.execute(db)
}

export const trimRefusals = (db: Db) =>
  sql`delete from refused_connection where time < coalesce(
    (select time from refused_connection order by time desc offset ${kept} limit 1), '-infinity')`.execute(db)

/** Serial numbers nobody has registered belong to no organisation, so only the installation's own people see them. */
export const findRefusals = async (db: Db, scope: Scope) => {
  const { rows } = await sql<AnswerOf<typeof refusedConnections>['rows'][number]>`
    select r.time, nullif(r.sn, '') as sn, r.address, r.reason, r.count from refused_connection r
    left join device t on t.sn = r.sn left join department d on d.id = t.department_id
    where ${scope.everything} or d.path <@ any(${scope.paths}::ltree[])
    order by r.time desc limit ${shown}`.execute(db)
  return rows
}
