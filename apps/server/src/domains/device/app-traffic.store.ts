import { type AppTraffic, type appTraffic, type EventData, protocol } from '@campanile/contract'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Scope } from '../../kit/actor.ts'
import { reaches } from '../../kit/scope.ts'
import type { Db } from '../../platform/db.ts'
import { toJsonb } from '../../platform/jsonb.ts'
import { type Counted, type Counters, isNothing, noBytes, plus, read } from './app-counters.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** Rows of an answer; whoever has more apps than that reads the sheet. */
const shownApps = 500
const exportedApps = 50_000

/** A report of a device, as the room takes it. */
export interface AppReport {
  readonly deviceId: number
  readonly departmentId: number
  readonly time: string
  readonly serverTime: boolean
  readonly data: EventData<typeof appTraffic>
}

interface Key {
  readonly deviceId: number
  readonly package: string
  readonly since: number
}
interface Told extends Key {
  readonly departmentId: number
  readonly time: number
  readonly serverTime: boolean
  readonly told: Partial<Counters>
}
const keyOf = ({ deviceId, package: name, since }: Key) => `${deviceId} ${since} ${name}`
const names = sql`mobile_up, mobile_down, wifi_up, wifi_down, up, down`
/** Of one counting, as JSON brings it. */
const counting = sql`(device_id bigint, package text, since bigint, read_time bigint, "mobileUp" bigint, "mobileDown" bigint,
  "wifiUp" bigint, "wifiDown" bigint, up bigint, down bigint)`
const moment = (ms: RawBuilder<unknown>) => sql`to_timestamp(${ms} / 1000.0)`
const asRow = ({ deviceId, package: name, since }: Key, { time, counters }: Counted) => ({
  device_id: deviceId,
  package: name,
  since,
  read_time: time,
  ...counters,
})

/** What is older has no place among what is shown, and its counters may be forgotten. */
const readingsOf = (reports: readonly AppReport[], now: number): Told[] =>
  reports
    .flatMap(({ deviceId, departmentId, time, serverTime, data }) =>
      Object.entries(data.apps).map(([name, { since, ...told }]) => ({
        deviceId,
        departmentId,
        package: name,
        since,
        time: Date.parse(time),
        serverTime,
        told,
      })),
    )
    .filter(({ time }) => time > now - protocol.pointDays * dayMs)
    .sort((a, b) => a.time - b.time)

/**
 * The countings meant, locked, in one order for everybody. One that is new begins at nothing where its app is counted since
 * the device has been its enterprise's; else nobody knows what it counted before, and its first reading is where it begins.
 */
const lockCountings = async (tx: Db, readings: readonly Told[]): Promise<Map<string, Counted>> => {
  const first = new Map<string, Told>()
  for (const each of readings) if (!first.has(keyOf(each))) first.set(keyOf(each), each)
  const asked = toJsonb(
    [...first.values()].map((each) => asRow(each, { time: each.time, counters: { ...noBytes, ...each.told } })),
  )
  await sql`insert into app_counter (device_id, package, since, read_time, ${names})
    select d.id, u.package, ${moment(sql`u.since`)}, case when whole then to_timestamp(0) else ${moment(sql`u.read_time`)} end,
      case when whole then 0 else u."mobileUp" end, case when whole then 0 else u."mobileDown" end,
      case when whole then 0 else u."wifiUp" end, case when whole then 0 else u."wifiDown" end,
      case when whole then 0 else u.up end, case when whole then 0 else u.down end
    from (select *, row_number() over (partition by device_id order by package, since) as turn
        from jsonb_to_recordset(${asked}::jsonb) as told${counting}
        where not exists (select from app_counter c where c.device_id = told.device_id and c.package = told.package
          and c.since = ${moment(sql`told.since`)})) u
      join device d on d.id = u.device_id
      cross join lateral (select ${moment(sql`u.since`)} >= greatest(d.create_time, d.owned_since) as whole) began
    where u.turn + (select count(*) from app_counter c where c.device_id = u.device_id) <= ${protocol.appsCounted}
    order by 1, 2, 3 on conflict do nothing`.execute(tx)
  const { rows } = await sql<
    { deviceId: number; package: string; since: number; time: number } & Counters
  >`select c.device_id as "deviceId", c.package, (extract(epoch from c.since) * 1000)::bigint as since,
      (extract(epoch from c.read_time) * 1000)::bigint as time, c.mobile_up as "mobileUp", c.mobile_down as "mobileDown",
      c.wifi_up as "wifiUp", c.wifi_down as "wifiDown", c.up, c.down
    from app_counter c join jsonb_to_recordset(${asked}::jsonb) as u${counting}
      on c.device_id = u.device_id and c.package = u.package and c.since = ${moment(sql`u.since`)}
    order by c.device_id, c.package, c.since for update of c`.execute(tx)
  return new Map(rows.map(({ time, ...row }) => [keyOf(row), { time, counters: row }]))
}

/** Adds what the reports tell beyond what was known, to the hour and the department they tell it from. */
export const countAppTraffic = async (tx: Db, reports: readonly AppReport[]): Promise<void> => {
  const readings = readingsOf(reports, Date.now())
  if (readings.length === 0) return
  const known = await lockCountings(tx, readings)
  const changed = new Map<string, Key & { readonly counted: Counted }>()
  const hours = new Map<string, Omit<Told, 'since' | 'serverTime' | 'told'> & { readonly by: Counters }>()
  for (const each of readings) {
    const key = keyOf(each)
    const before = known.get(key)
    // Beyond what is counted for a device, or the device has gone meanwhile.
    if (!before) continue
    const { counted, by } = read(before, each)
    known.set(key, counted)
    changed.set(key, { ...each, counted })
    if (isNothing(by)) continue
    const time = Math.floor(each.time / hourMs) * hourMs
    const hour = `${each.deviceId} ${each.departmentId} ${time} ${each.package}`
    hours.set(hour, { ...each, time, by: plus(hours.get(hour)?.by ?? noBytes, by) })
  }
  await sql`update app_counter c set read_time = ${moment(sql`u.read_time`)}, update_time = now(),
      mobile_up = u."mobileUp", mobile_down = u."mobileDown", wifi_up = u."wifiUp", wifi_down = u."wifiDown",
      up = u.up, down = u.down
    from jsonb_to_recordset(${toJsonb([...changed.values()].map((each) => asRow(each, each.counted)))}::jsonb) as u${counting}
    where c.device_id = u.device_id and c.package = u.package and c.since = ${moment(sql`u.since`)}`.execute(tx)
  if (hours.size === 0) return
  const told = [...hours.values()].map(({ by, deviceId, departmentId, time, package: name }) => ({
    device_id: deviceId,
    department_id: departmentId,
    time,
    package: name,
    ...by,
  }))
  await sql`insert into app_traffic as t (time, device_id, department_id, package, ${names})
    select ${moment(sql`u.time`)}, u.device_id, u.department_id, u.package, u."mobileUp", u."mobileDown", u."wifiUp",
      u."wifiDown", u.up, u.down
    from jsonb_to_recordset(${toJsonb(told)}::jsonb) as u(device_id bigint, department_id bigint, time bigint, package text,
      "mobileUp" bigint, "mobileDown" bigint, "wifiUp" bigint, "wifiDown" bigint, up bigint, down bigint)
    order by 2, 4, 3, 1
    on conflict (device_id, package, department_id, time) do update set mobile_up = t.mobile_up + excluded.mobile_up,
      mobile_down = t.mobile_down + excluded.mobile_down, wifi_up = t.wifi_up + excluded.wifi_up,
      wifi_down = t.wifi_down + excluded.wifi_down, up = t.up + excluded.up, down = t.down + excluded.down`.execute(tx)
}

/** Countings that a newer one of the same app has followed, and of which nothing that comes now would be counted. */
export const forgetCounters = (db: Db) =>
  sql`delete from app_counter c where c.update_time < now() - ${protocol.pointDays} * interval '1 day'
    and exists (select from app_counter newer where newer.device_id = c.device_id and newer.package = c.package
      and newer.since > c.since)`.execute(db)

export interface AppTrafficQuery {
  readonly from: number
  readonly to: number
  /** Of this device alone, which the caller reaches. */
  readonly deviceId?: number | undefined
  readonly departmentId?: number | undefined
}

const find = async (db: Db, scope: Scope, { from, to, deviceId, departmentId }: AppTrafficQuery, limit: number) => {
  const whose: RawBuilder<SqlBool> =
    deviceId === undefined ? reaches(scope, sql`d.path`) : sql<SqlBool>`t.device_id = ${deviceId}`
  const below =
    departmentId === undefined
      ? sql``
      : sql`and d.path <@ (select chosen.path from department chosen where chosen.id = ${departmentId})`
  const called = deviceId === undefined ? reaches(scope, sql`d.path`) : sql<SqlBool>`a.device_id = ${deviceId}`
  // A department that is gone, or out of the caller's reach, does not keep a device's own past from its page. Where devices
  // call an app by several names, it has the one that most of them call it.
  const { rows } = await sql<AppTraffic & { total: number }>`with used as (
      select t.package, count(distinct t.device_id)::int as devices, count(*) over ()::int as total,
        sum(t.mobile_up)::float8 as "mobileUp", sum(t.mobile_down)::float8 as "mobileDown",
        sum(t.wifi_up)::float8 as "wifiUp", sum(t.wifi_down)::float8 as "wifiDown",
        sum(t.up)::float8 as up, sum(t.down)::float8 as down
      from app_traffic t left join department d on d.id = t.department_id
      where t.time >= ${new Date(from)} and t.time < ${new Date(to)} and ${whose} ${below}
      group by t.package
      order by sum(t.mobile_up + t.mobile_down + t.wifi_up + t.wifi_down + t.up + t.down) desc, t.package limit ${limit}),
    named as (
      select a.package, mode() within group (order by a.name) as name from device_app a join device v on v.id = a.device_id
        join department d on d.id = v.department_id
      where a.package in (select package from used) and a.name is not null and ${called} group by a.package)
    select used.*, named.name from used left join named on named.package = used.package
    order by "mobileUp" + "mobileDown" + "wifiUp" + "wifiDown" + up + down desc, used.package`.execute(db)
  return { rows: rows.map(({ total: _total, ...row }) => row), total: rows[0]?.total ?? 0 }
}

/** The greediest apps of a period, and how many there are. */
export const findAppTraffic = (db: Db, scope: Scope, query: AppTrafficQuery) => find(db, scope, query, shownApps)
/** All of them, as far as a sheet goes. */
export const listAppTraffic = (db: Db, scope: Scope, query: AppTrafficQuery) => find(db, scope, query, exportedApps)
