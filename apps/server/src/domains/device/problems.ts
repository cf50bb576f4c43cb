import { type DeviceProblem, device, deviceNeeds, deviceProblems } from '@campanile/contract'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Scope } from '../../kit/actor.ts'
import { countReached } from '../../kit/department.ts'
import { type FoundNeed, needsTogether, type RoomNeed } from '../../kit/needs.ts'
import { reaches } from '../../kit/scope.ts'
import type { Db } from '../../platform/db.ts'
import { wentAt } from './offline.ts'

/** When a device told a value, by its own clock. */
const toldAt = (name: string) => sql`to_timestamp((s.values -> ${sql.lit(name)} ->> 't')::float8 / 1000)`
const said = (name: string) => sql`s.values -> ${sql.lit(name)} ->> 'v'`
const isThere = sql<SqlBool>`s.iot_status in ('online', 'flapping')`
const noPaper = 'out of paper'
/** Below this somebody has to charge it soon. */
const lowBattery = 15
const thisMonth = sql`'trafficAlarm-' || to_char(now() at time zone 'utc', 'YYYY-MM')`

interface Problem {
  readonly holds: RawBuilder<SqlBool>
  readonly since: RawBuilder<unknown>
}

/** Of a device `t` and its state `s`; what makes each of them, once for lists, home and the device's own page. */
const problems: Readonly<Record<DeviceProblem, Problem>> = {
  breakdown: { holds: sql`s.robot_state = 'breakdown'`, since: toldAt('robotState') },
  away: {
    holds: sql`t.activation_status = 2 and s.iot_status = 'offline' and ${wentAt} < now() - interval '1 day'`,
    since: wentAt,
  },
  paper: { holds: sql`${said('printer')} = ${sql.lit(noPaper)}`, since: toldAt('printer') },
  battery: {
    holds: sql`s.battery < ${sql.lit(lowBattery)} and s.charging <> 'charging' and ${isThere}`,
    since: toldAt('battery'),
  },
  traffic: {
    holds: sql`t.traffic_limit_mb is not null and exists (select from device_event e
      where e.device_id = t.id and e.event_id = ${thisMonth})`,
    since: sql`(select e.time from device_event e where e.device_id = t.id and e.event_id = ${thisMonth})`,
  },
  cash: { holds: sql`${said('cash')} <> 'ok'`, since: toldAt('cash') },
  printer: { holds: sql`${said('printer')} not in ('ok', ${sql.lit(noPaper)})`, since: toldAt('printer') },
}

/** For the filter of the device list. */
export const hasProblem = (names: readonly DeviceProblem[]): RawBuilder<SqlBool> =>
  names.length === 0
    ? sql`true`
    : sql`(${sql.join(
        names.map((name) => sql`coalesce(${problems[name].holds}, false)`),
        sql` or `,
      )})`

const everyProblem = sql.join(
  deviceProblems.map((name) => {
    const { holds, since } = problems[name]
    return sql`(${sql.lit(name)}, ${holds}, case when ${holds} then ${since} end)`
  }),
)

/** What is wrong with one device, and since when. */
export const findProblems = async (db: Db, deviceId: number): Promise<{ problem: DeviceProblem; since: string }[]> =>
  (
    await sql<{ problem: DeviceProblem; since: string }>`select p.problem, p.since
      from device t join device_state s on s.device_id = t.id
        cross join lateral (values ${everyProblem}) p(problem, holds, since)
      where t.id = ${deviceId} and p.holds`.execute(db)
  ).rows

export interface AtPlace {
  departmentId: number
  place: string
  count: number
  since: string | null
  reason: string | null
}

/**
 * Devices that may have a problem, told by their state `s` alone, so that the others are put aside before their rows of the
 * registry are looked up. What a printer or cash unit says is asked for once each; each problem is asked for by itself
 * afterwards.
 */
const mayHaveProblem = sql<SqlBool>`(s.robot_state = 'breakdown'
  or s.iot_status = 'offline' and ${wentAt} < now() - interval '1 day'
  or ${problems.battery.holds}
  or s.device_id = any(array(select t.id from device t where ${problems.traffic.holds}))
  or ${said('printer')} <> 'ok' or ${said('cash')} <> 'ok')`

/** Of a place: how many of its devices have a problem, and since when the first of them has. */
const figuresOf = (name: DeviceProblem) => {
  const { holds, since } = problems[name]
  return sql`count(*) filter (where ${holds}) as ${sql.ref(`${name}Count`)},
    min(${since}) filter (where ${holds}) as ${sql.ref(`${name}Since`)}`
}

type PlaceRow = Pick<AtPlace, 'departmentId' | 'place' | 'reason'> & Record<string, unknown>

/**
 * All problems in one look at the fleet, which is read whole: an index on what devices say would cost every message more than
 * it saves here. Devices with nothing wrong, which are most, are put aside before each problem is asked for by itself; a row
 * for each problem of each device would cost more than all else.
 */
const findPlaces = async (db: Db, scope: Scope): Promise<(AtPlace & { problem: DeviceProblem })[]> => {
  const { rows } = await sql<PlaceRow>`select d.id as "departmentId", d.name as place,
      mode() within group (order by s.disconnect_reason) filter (where ${problems.away.holds}) as reason,
      ${sql.join(deviceProblems.map(figuresOf))}
    from device t join device_state s on s.device_id = t.id join department d on d.id = t.department_id
    where ${reaches(scope, sql`d.path`)} and ${mayHaveProblem}
    group by d.id`.execute(db)
  const found = rows.flatMap((row) =>
    deviceProblems.map((problem) => ({
      problem,
      departmentId: row.departmentId,
      place: row.place,
      reason: row.reason,
      count: row[`${problem}Count`] as number,
      since: row[`${problem}Since`] as string | null,
    })),
  )
  return found
    .filter(({ count }) => count > 0)
    .sort((one, other) => other.count - one.count || one.departmentId - other.departmentId)
}

/** As many places as a line names; the others are counted. */
const namedPlaces = 3
const sum = (places: readonly AtPlace[]) => places.reduce((total, { count }) => total + count, 0)
const named = ({ place, count }: AtPlace) => (count > 1 ? `${place} (${count})` : place)

/** One line for one kind, so that no device is said twice: the place where all of them stand, or the worst places by name. */
export const byPlace = (problem: DeviceProblem, places: readonly AtPlace[]): FoundNeed[] => {
  const [only, second] = places
  if (!only) return []
  if (!second) {
    const { departmentId, place, count, since, reason } = only
    const lost = problem === 'away' && reason !== null
    return [
      {
        count,
        since,
        filter: { problem, departmentId },
        words: { place, ...(lost && { reason }) },
        ...(lost && { cause: 'causeLost' }),
      },
    ]
  }
  const since = places.map((each) => each.since).filter((each) => each !== null)
  return [
    {
      count: sum(places),
      since: since.sort()[0] ?? null,
      filter: { problem },
      words: {
        sites: places.slice(0, namedPlaces).map(named).join(' · '),
        more: Math.max(0, places.length - namedPlaces),
      },
      cause: 'causeAll',
    },
  ]
}

/** More devices than this take longer to look through than anybody waits for home. */
const manyDevices = 50_000

const isLarge = async (db: Db, scope: Scope): Promise<boolean> => {
  const { rows } = await sql<{ devices: number }>`select ${countReached('device')(scope)} as devices`.execute(db)
  return (rows[0]?.devices ?? 0) > manyDevices
}

export const needsOfDevices: readonly RoomNeed[] = [
  needsTogether(
    device,
    async (db, scope) => {
      const places = await findPlaces(db, scope)
      return deviceProblems.flatMap((problem) => {
        const ofIt = places.filter((each) => each.problem === problem)
        return byPlace(problem, ofIt).map((found) => [deviceNeeds[problem], found] as const)
      })
    },
    isLarge,
  ),
]
