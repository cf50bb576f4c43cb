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
const isLongGone = sql<SqlBool>`s.iot_status = 'offline' and ${wentAt} < now() - interval '1 day'`
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
    holds: sql`t.activation_status = 2 and ${isLongGone}`,
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

/** What the state `s` of a device tells without its row of the registry. */
const toldByState = ['breakdown', 'paper', 'battery', 'cash', 'printer'] as const satisfies readonly DeviceProblem[]
const toldByRegistry = ['away', 'traffic'] as const satisfies readonly DeviceProblem[]

/** Most devices have nothing wrong and are put aside by this; what a printer or cash unit says is asked for once each. */
const mayHaveProblem = sql<SqlBool>`(s.robot_state = 'breakdown' or ${isLongGone} or ${problems.battery.holds}
  or ${said('printer')} <> 'ok' or ${said('cash')} <> 'ok')`

type Told = AtPlace & { problem: DeviceProblem }
type PlaceRow = Pick<AtPlace, 'departmentId' | 'place'> & { readonly gone: number } & Record<string, unknown>

const within = (scope: Scope, department: RawBuilder<unknown>) =>
  scope.everything
    ? sql`true`
    : sql`${department} in (select d.id from department d where ${reaches(scope, sql`d.path`)})`

/**
 * One look at the states of the fleet, which are read whole: an index on what devices say would cost every message more than
 * it saves here. States know their department. Nothing is asked for that would have their rows sorted or looked up one by
 * one, so that several processes share the look and each brings a few figures from it.
 */
const lookAtStates = async (db: Db, scope: Scope): Promise<readonly PlaceRow[]> => {
  const figures = toldByState.map((name) => {
    const { holds, since } = problems[name]
    return sql`count(*) filter (where ${holds}) as ${sql.ref(`${name}Count`)},
      min(${since}) filter (where ${holds}) as ${sql.ref(`${name}Since`)}`
  })
  const { rows } = await sql<PlaceRow>`select found.*, d.name as place from (
      select s.department_id as "departmentId", count(*) filter (where ${isLongGone}) as gone, ${sql.join(figures)}
      from device_state s where ${within(scope, sql`s.department_id`)} and ${mayHaveProblem}
      group by s.department_id) found
    join department d on d.id = found."departmentId"`.execute(db)
  return rows
}

/** What only the registry knows besides: which of those that have gone should be there, and who has a limit. */
const lookAtRegistry = async (db: Db, scope: Scope, problem: (typeof toldByRegistry)[number]): Promise<Told[]> => {
  const { holds, since } = problems[problem]
  const reason = problem === 'away' ? sql`mode() within group (order by s.disconnect_reason)` : sql`null::text`
  const { rows } = await sql<AtPlace>`select found.*, d.name as place from (
      select t.department_id as "departmentId", count(*) as count, min(${since}) as since, ${reason} as reason
      from device t join device_state s on s.device_id = t.id
      where ${within(scope, sql`t.department_id`)} and ${holds} group by t.department_id) found
    join department d on d.id = found."departmentId"`.execute(db)
  return rows.map((row) => ({ ...row, problem }))
}

const findPlaces = async (db: Db, scope: Scope): Promise<Told[]> => {
  const places = await lookAtStates(db, scope)
  const byState = places.flatMap((row) =>
    toldByState.map((problem) => ({
      problem,
      departmentId: row.departmentId,
      place: row.place,
      reason: null,
      count: row[`${problem}Count`] as number,
      since: row[`${problem}Since`] as string | null,
    })),
  )
  const away = places.some(({ gone }) => gone > 0) ? await lookAtRegistry(db, scope, 'away') : []
  return [...byState, ...away, ...(await lookAtRegistry(db, scope, 'traffic'))]
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
