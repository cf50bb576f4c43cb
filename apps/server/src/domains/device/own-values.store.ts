import { sql } from 'kysely'
import { bigints, doubles, integers } from '../../platform/binary-array.ts'
import type { Db } from '../../platform/db.ts'
import { ownedSince } from './handover.store.ts'

/** A key of both, for maps: a device or an enterprise, and a name. */
export const ownKey = (id: number, name: string) => `${id} ${name}`

export const findDepartments = async (db: Db, ids: readonly number[]): Promise<Map<number, number>> => {
  const { rows } = await sql<{
    id: number
    departmentId: number
  }>`select id, department_id as "departmentId" from device
    where id = any(${ids})`.execute(db)
  return new Map(rows.map(({ id, departmentId }) => [id, departmentId]))
}

interface Asked {
  readonly owner: number
  readonly name: string
}
const askedRows = (asked: readonly Asked[]) =>
  sql`(select distinct * from unnest(${asked.map(({ owner }) => owner)}::bigint[], ${asked.map(({ name }) => name)}::text[])
    as u(owner, name)) u`

/** As many new names as there is room for. */
export const addOwnNames = async (tx: Db, asked: readonly Asked[], most: number) => {
  const { rows } = await sql`select 1 from ${askedRows(asked)} left join own_name o
      on o.department_id = u.owner and o.name = u.name where o.seen is distinct from current_date limit 1`.execute(tx)
  if (rows.length === 0) return
  // One after the other: two who count at once would both find the last place free.
  await sql`select pg_advisory_xact_lock(hashtext('own_name'))`.execute(tx)
  await sql`update own_name o set seen = current_date from ${askedRows(asked)}
    where o.department_id = u.owner and o.name = u.name and o.seen <> current_date`.execute(tx)
  await sql`insert into own_name (department_id, name)
    select n.owner, n.name from (select u.owner, u.name, row_number() over (partition by u.owner order by u.name) as place
      from ${askedRows(asked)}
      where not exists (select from own_name o where o.department_id = u.owner and o.name = u.name)) n
    where n.place + (select count(*) from own_name o where o.department_id = n.owner) <= ${most}
    on conflict do nothing`.execute(tx)
}

/** Numbers of names, by enterprise and name. */
export const findOwnNames = async (tx: Db, asked: readonly Asked[]): Promise<Map<string, number>> => {
  const { rows } = await sql<{ id: number; owner: number; name: string }>`select o.id, u.owner, u.name
    from ${askedRows(asked)} join own_name o on o.department_id = u.owner and o.name = u.name`.execute(tx)
  return new Map(rows.map(({ id, owner, name }) => [ownKey(owner, name), id]))
}

interface OwnPoint {
  readonly id: number
  readonly nameId: number
  readonly minute: number
  readonly ts: number
  readonly value: number
}
export const writeOwnPoints = async (tx: Db, points: readonly OwnPoint[]) => {
  if (points.length === 0) return
  await sql`insert into own_point as p (device_id, name_id, minute, ts, value)
    select u.id, u.name_id, to_timestamp(u.minute / 1000), u.ts, u.value
    from unnest(${bigints(points.map(({ id }) => id))}::bigint[], ${integers(points.map(({ nameId }) => nameId))}::int[],
      ${doubles(points.map(({ minute }) => minute))}::float8[], ${bigints(points.map(({ ts }) => ts))}::bigint[],
      ${doubles(points.map(({ value }) => value))}::float8[]) as u(id, name_id, minute, ts, value)
    on conflict (device_id, name_id, minute) do update set ts = excluded.ts, value = excluded.value
      where (excluded.ts, excluded.value) > (p.ts, p.value)`.execute(tx)
}

/** Points of a chart; more cannot be told apart on a screen. */
const pointsMax = 720
const minuteMs = 60_000

export const findOwnHistory = async (
  db: Db,
  deviceId: number,
  name: string,
  { from, to }: { readonly from: number; readonly to: number },
) => {
  const step = Math.max(1, Math.ceil((to - from) / pointsMax / minuteMs)) * minuteMs
  const { rows: points } = await sql<{ t: number; min: number; avg: number; max: number }>`
    select p.ts / ${step}::bigint * ${step}::bigint as t, min(p.value) as min, avg(p.value) as avg, max(p.value) as max
    from own_point p join own_name n on n.id = p.name_id
    where p.device_id = ${deviceId} and n.name = ${name}
      and p.minute >= ${new Date(from - minuteMs).toISOString()} and p.minute < ${new Date(to).toISOString()}
      and p.ts >= ${from} and p.ts < ${to} and to_timestamp(p.ts / 1000.0) >= ${ownedSince(sql`p.device_id`)}
    group by 1 order by 1`.execute(db)
  return { step, points }
}

/** Points that are too old, and names that nobody has used for as long. */
export const removeOldOwnValues = async (db: Db, before: Date) => {
  await sql`delete from own_point where minute < ${before}`.execute(db)
  await sql`delete from own_name where seen < ${before}`.execute(db)
}
