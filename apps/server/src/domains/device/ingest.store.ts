import { protocol } from '@campanile/contract'
import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { bigints, booleans, byteas, doubles, integers, texts } from '../../platform/binary-array.ts'
import type { Db } from '../../platform/db.ts'
import { toJsonb } from '../../platform/jsonb.ts'
import type { Latest, Own } from './latest.ts'
import type { CachedState } from './latest-cache.ts'
import type { Wrong } from './message.ts'
import { type Point, pack } from './telemetry/codec.ts'

type LatestRow = { id: number } & CachedState

export const findLatest = async (db: Db, ids: readonly number[]): Promise<Map<number, CachedState>> => {
  const { rows } = await sql<LatestRow>`
    select device_id as id, values, own, version from device_state where device_id = any(${ids})`.execute(db)
  return new Map(rows.map(({ id, ...held }) => [id, held]))
}

/** Nobody else writes them until the transaction is over. */
export const lockLatest = async (tx: Db, ids: readonly number[]): Promise<Map<number, CachedState>> => {
  const { rows } = await sql<LatestRow>`select device_id as id, values, own, version from device_state
    where device_id = any(${ids}) order by device_id for update`.execute(tx)
  return new Map(rows.map(({ id, ...held }) => [id, held]))
}

export interface StateRow {
  id: number
  values: Latest
  /** Milliseconds. */
  seen: number
  /** How far its clock is ahead, where a report of this moment tells it. */
  ahead?: number | undefined
  /** Left out when nothing of it is new. */
  own?: Own | undefined
  /** The version of the row that the values were worked out from; left out by whoever knows that there is nothing else. */
  version?: number
}

/**
 * Values that lists filter and sort by stand in columns of their own. A lock that was commanded stays until the device
 * says something newer of it: a report without a word about it brings its older one along and must not undo it. A clock that
 * was ahead is set right by the first report of this moment. Answers whose rows were still of the version they were worked out from; the others stay as they are.
 */
export const writeStates = async (tx: Db, rows: readonly StateRow[]): Promise<Set<number>> => {
  if (rows.length === 0) return new Set()
  // In one order, so that whoever else writes several of them is met at most once.
  const sorted = [...rows].sort((a, b) => a.id - b.id)
  const { rows: written } = await sql<{ id: number }>`update device_state s set values = u.values::jsonb,
      own = coalesce(u.own::jsonb, s.own), version = s.version + 1, battery = u.battery,
      charging = coalesce(u.charging, s.charging), robot_state = u.robot_state,
      locked = case when u.locked is not null and u.values::jsonb->'locked' is distinct from s.values->'locked'
        then u.locked else s.locked end,
      last_seen = greatest(s.last_seen, to_timestamp(u.seen)),
      clock_offset_ms = case when s.clock_offset_ms > ${protocol.clockAheadMs} then coalesce(u.ahead, s.clock_offset_ms)
        else s.clock_offset_ms end
    from unnest(${bigints(sorted.map(({ id }) => id))}::bigint[],
      ${texts(sorted.map(({ values }) => JSON.stringify(values)))}::text[],
      ${integers(sorted.map(({ values: { battery } }) => (battery ? Math.round(Number(battery.v)) : null)))}::int[],
      ${texts(sorted.map(({ values: { charging } }) => (charging ? String(charging.v) : null)))}::text[],
      ${booleans(sorted.map(({ values: { locked } }) => (locked ? locked.v === true : null)))}::boolean[],
      ${texts(sorted.map(({ values: { robotState } }) => (robotState ? String(robotState.v) : null)))}::text[],
      ${doubles(sorted.map(({ seen }) => seen / 1000))}::float8[],
      ${bigints(sorted.map(({ version }) => version ?? null))}::bigint[],
      ${texts(sorted.map(({ own }) => (own ? JSON.stringify(own) : null)))}::text[],
      ${bigints(sorted.map(({ ahead }) => ahead ?? null))}::bigint[])
      as u(id, values, battery, charging, locked, robot_state, seen, version, own, ahead)
    where s.device_id = u.id and (u.version is null or s.version = u.version) returning s.device_id as id`.execute(tx)
  return new Set(written.map(({ id }) => id))
}

/** Milliseconds that devices' clocks are ahead of ours. */
export const writeClocks = async (tx: Db, clocks: ReadonlyMap<number, number>) => {
  if (clocks.size === 0) return
  const sorted = [...clocks].sort(([a], [b]) => a - b)
  await sql`update device_state s set clock_offset_ms = u.ahead
    from unnest(${bigints(sorted.map(([id]) => id))}::bigint[], ${bigints(sorted.map(([, ahead]) => ahead))}::bigint[])
      as u(id, ahead)
    where s.device_id = u.id`.execute(tx)
}

export type Hello = z.output<typeof protocol.hello>

/** What of a word fits a field that a person could have written: its first characters, and nothing for none. */
const fitting = (word: RawBuilder<unknown>, most: number) => sql`nullif(btrim(left(btrim(${word}), ${most})), '')`
/** A number as people write it on a label, `35-209900-176148-1`, is kept without what stands between. */
const fittingNumber = (word: RawBuilder<unknown>) => fitting(sql`regexp_replace(${word}, '[^0-9A-Za-z]', '', 'g')`, 32)

/** Versions and abilities are the device's word. Model and numbers are a person's, and only filled in where they are missing. */
export const writeHellos = async (tx: Db, hellos: readonly { id: number; seen: string; hello: Hello }[]) => {
  if (hellos.length === 0) return
  const rows = toJsonb(hellos)
  await sql`update device_state s set firmware_version = coalesce(${fitting(sql`u.hello->>'firmware'`, 128)}, s.firmware_version),
      system_version = coalesce(${fitting(sql`u.hello->>'system'`, 128)}, s.system_version), agent = coalesce(u.hello->>'agent', s.agent),
      private_ip = coalesce(left(u.hello->'addresses'->>0, 45), s.private_ip),
      capabilities = array(select jsonb_array_elements_text(u.hello->'capabilities')),
      last_seen = greatest(s.last_seen, u.seen)
    from jsonb_to_recordset(${rows}::jsonb) as u(id bigint, seen timestamptz, hello jsonb) where s.device_id = u.id`.execute(
    tx,
  )
  await sql`update device d set model = coalesce(d.model, ${fitting(sql`u.hello->>'model'`, 64)}),
      imei = coalesce(d.imei, ${fittingNumber(sql`u.hello->>'imei'`)}), imsi = coalesce(d.imsi, ${fittingNumber(sql`u.hello->>'imsi'`)})
    from jsonb_to_recordset(${rows}::jsonb) as u(id bigint, hello jsonb)
    where d.id = u.id and (d.model is null and u.hello ? 'model' or d.imei is null and u.hello ? 'imei'
      or d.imsi is null and u.hello ? 'imsi')`.execute(tx)
  const withApps = hellos.filter(({ hello }) => hello.apps)
  if (withApps.length === 0) return
  await sql`delete from device_app where device_id = any(${withApps.map(({ id }) => id)})`.execute(tx)
  await sql`insert into device_app (device_id, package, name, version, enabled)
    select d.id, a.package, a.name, a.version, a.enabled
    from jsonb_to_recordset(${toJsonb(withApps)}::jsonb) as u(id bigint, hello jsonb)
    join device d on d.id = u.id,
    jsonb_to_recordset(u.hello->'apps') as a(package text, name text, version text, enabled boolean)
    on conflict do nothing`.execute(tx)
}

/** Why a room did not take an event of a kind that it takes. */
export type Untaken = { reason: 'wrongData' | 'roomFailed' } & Wrong

export interface EventRow {
  id: number
  received: string
  event: Omit<z.output<typeof protocol.event>, 'ts'> & { ts: number }
  /** The device gave no time. */
  serverTime?: boolean
  untaken?: Untaken | undefined
}

/** An event that was not there before. */
export interface NewEvent {
  readonly id: number
  readonly eventId: string
  readonly departmentId: number
}

const firstOfEach = (events: readonly EventRow[]): EventRow[] => {
  const firsts = new Map<string, EventRow>()
  for (const each of events) {
    const key = `${each.id} ${each.event.id}`
    if (!firsts.has(key)) firsts.set(key, each)
  }
  return [...firsts.values()]
}

/** Answers those that were not there before, without what happened while the device stood in another enterprise. */
export const appendEvents = async (tx: Db, events: readonly EventRow[]): Promise<NewEvent[]> => {
  if (events.length === 0) return []
  const { rows } = await sql<NewEvent>`with added as (
      insert into device_event (device_id, event_id, time, type, level, text, data, received, server_time, untaken)
      select d.id, u.event->>'id', to_timestamp((u.event->>'ts')::float8 / 1000), u.event->>'type', u.event->>'level',
        u.event->>'text', u.event->'data', u.received, coalesce(u."serverTime", false), u.untaken
      from jsonb_to_recordset(${toJsonb(firstOfEach(events))}::jsonb)
        as u(id bigint, received timestamptz, event jsonb, "serverTime" boolean, untaken jsonb)
      join device d on d.id = u.id order by 1, 2 on conflict do nothing returning device_id, event_id, time)
    select d.id, added.event_id as "eventId", d.department_id as "departmentId"
    from added join device d on d.id = added.device_id
    where added.time >= coalesce(d.owned_since, '-infinity')`.execute(tx)
  return rows
}

/** Beside what an event holds: its row and its places in the indexes. */
const rowBytes = 200

/** Removes the oldest events of those of these devices that have more than is kept. One event a day tells of it. */
export const trimEvents = async (db: Db, ids: readonly number[], keptBytes: number): Promise<string[]> =>
  (
    await sql<{ sn: string }>`with weighed as (
        select device_id, event_id, sum(${rowBytes} + coalesce(pg_column_size(data), 0) + coalesce(octet_length(text), 0))
          over (partition by device_id order by received desc, event_id rows unbounded preceding) as bytes
        from device_event where device_id = any(${ids})),
      gone as (delete from device_event e using weighed w
        where e.device_id = w.device_id and e.event_id = w.event_id and w.bytes > ${keptBytes} returning e.device_id),
      told as (insert into device_event (device_id, event_id, time, type, level, data, received)
        select distinct device_id, 'eventsRemoved-' || current_date, now(), 'eventsRemoved', 'minor',
          jsonb_build_object('keptMb', ${keptBytes}::bigint / 1048576), now() from gone
        on conflict do nothing returning device_id)
      select t.sn from told join device t on t.id = told.device_id`.execute(db)
  ).rows.map(({ sn }) => sn)

interface PointRow {
  id: number
  point: Point
}
const pointRows = (points: readonly PointRow[]) => {
  const sorted = [...points].sort((a, b) => a.id - b.id)
  return sql`unnest(${bigints(sorted.map(({ id }) => id))}::bigint[], ${bigints(sorted.map(({ point }) => point.ts))}::bigint[],
    ${byteas(sorted.map(({ point }) => pack([point], point.ts)))}::bytea[]) as u(id, ts, point)`
}

export const appendPoints = async (tx: Db, received: Date, points: readonly PointRow[]) => {
  if (points.length === 0) return
  await sql`insert into telemetry_raw (device_id, ts, received, point)
    select u.id, u.ts, ${received}, u.point from ${pointRows(points)}`.execute(tx)
}

/** Points that may be there already, because something as new is known of their devices: those that are stay one row. */
export const appendLatePoints = async (tx: Db, received: Date, points: readonly PointRow[]) => {
  if (points.length === 0) return
  await sql`insert into telemetry_raw (device_id, ts, received, point)
    select distinct u.id, u.ts, ${received}::timestamptz, u.point from ${pointRows(points)}
    where not exists (select 1 from telemetry_raw r where r.device_id = u.id and r.ts = u.ts and r.point = u.point)`.execute(
    tx,
  )
}
