import { activationStates, unshownEvents } from '@campanile/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import { broughtParts } from './extension.ts'

const { notActivated, unbound } = activationStates

/** Of each device as much as a person reads; the rest was told in its time. */
const eventsKept = 20

/** What an enterprise knew of a device that leaves it. */
export interface Farewell {
  readonly sn: string
  readonly department: string
  readonly [what: string]: unknown
}

const broughtFarewell = () =>
  sql.join(
    broughtParts('farewell').flatMap((parts) =>
      Object.entries(parts).map(([name, value]) => sql`${name}::text, ${value}`),
    ),
  )

export const findFarewells = async (db: Db, ids: readonly number[]): Promise<Farewell[]> =>
  (
    await sql<{ told: Farewell }>`select jsonb_strip_nulls(jsonb_build_object('sn', t.sn, 'department', d.name,
        'name', t.name, 'location', t.location, 'description', t.description, 'firmware', s.firmware_version,
        'system', s.system_version, 'address', s.public_ip, 'lastSeen', s.last_seen,
        'values', (select jsonb_object_agg(key, value -> 'v') from jsonb_each(s.values)),
        'apps', (select jsonb_agg(concat_ws(' ', a.package, a.version) order by a.package)
          from device_app a where a.device_id = t.id),
        'events', (select jsonb_agg(jsonb_strip_nulls(to_jsonb(e))) from (select time, type, level, text
          from device_event where device_id = t.id and type <> all(${unshownEvents}) order by time desc limit ${eventsKept}) e)) || jsonb_build_object(${broughtFarewell()})) as told
      from device t join department d on d.id = t.department_id join device_state s on s.device_id = t.id
      where t.id = any(${ids}) order by t.id`.execute(db)
  ).rows.map(({ told }) => told)

/**
 * To the other enterprise it is a device nobody has heard of: what the maker built passes on, and what other rooms know to be
 * the device's own. It gets a new number, and all that hangs on the old one goes with that, in whatever table. So a
 * message that was on its way finds nobody, and no list needs to know that the device was ever somewhere else.
 */
export const handOver = async (db: Db, ids: readonly number[], departmentId: number) => {
  const arrivals: (() => Promise<unknown>)[] = []
  for (const carry of broughtParts('handover')) arrivals.push(await carry(db, ids))
  await sql`with gone as (delete from device where id = any(${ids}) returning *)
    insert into device (sn, department_id, device_type, model, batch_number, imei, imsi, credential_version, owned_since,
      activation_status)
    select sn, ${departmentId}, device_type, model, batch_number, imei, imsi, credential_version + 1, now(),
      case activation_status when ${notActivated} then ${notActivated} else ${unbound}::smallint end from gone
    order by id`.execute(db)
  for (const arrive of arrivals) await arrive()
}

/** From when on what a device says is its present enterprise's to see, whenever it says it. */
export const ownedSince = (id: RawBuilder<unknown>) =>
  sql`coalesce((select v.owned_since from device v where v.id = ${id}), '-infinity')`

/** Those of these devices that came from another enterprise, and when, in milliseconds. */
export const findOwnedSince = async (db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, number>> => {
  const { rows } = await sql<{ id: number; since: number }>`select id,
      (extract(epoch from owned_since) * 1000)::float8 as since
    from device where id = any(${ids}) and owned_since is not null`.execute(db)
  return new Map(rows.map(({ id, since }) => [id, since]))
}
