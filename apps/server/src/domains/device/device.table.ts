import { device, deviceErrors } from '@campanile/contract'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Scope } from '../../kit/actor.ts'
import { countReached, ofDepartment } from '../../kit/department.ts'
import { partOfFewValues } from '../../kit/list/few-values.ts'
import { fromItsStart } from '../../kit/list/from-start.ts'
import { reaches } from '../../kit/scope.ts'
import { bindTable, type Searched, type Table } from '../../kit/table.ts'
import { broughtColumn, broughtFilter } from './extension.ts'
import { memberOf } from './group-filter.ts'
import { countedAs, isConnected, offlineSince } from './offline.ts'
import { ownCondition } from './own-filter.ts'
import { hasProblem } from './problems.ts'

const place = ofDepartment()

/** Heard of within the hour; of a device's state `s`. */
export const activeLately = sql<SqlBool>`coalesce(s.last_seen >= now() - interval '1 hour', false)`

/** There now, or heard of since then; of a device and its state `s`. */
export const seenSince = (start: RawBuilder<unknown>) =>
  sql<SqlBool>`coalesce(s.iot_status in ('online', 'flapping') or s.last_seen >= ${start}, false)`
export const seenToday = seenSince(sql`current_date`)

const group = sql`left join device_group g on g.id = t.group_id`

/** A group may be kept higher than the caller reaches: neither its name nor its number are theirs to see. */
const ofGroup = (told: RawBuilder<unknown>) => (scope: Scope) =>
  scope.everything
    ? told
    : sql`case when g.department_id = t.department_id or exists (select from department home
        where home.id = g.department_id and ${reaches(scope, sql`home.path`)}) then ${told} end`

/** What the device says of itself. */
const ofState: ReadonlySet<string> = new Set([
  'iotStatus',
  'ip',
  'firmwareVersion',
  'systemVersion',
  'locked',
  'battery',
  'charging',
  'lastConnected',
  'robotState',
  'own',
])
/**
 * Either table has a row for every device, so where only one is asked, LEFT JOINs from that one let PostgreSQL leave out the
 * other. Where both are asked it needs to be free to begin with either.
 */
const searched = (asked: readonly string[]): Searched | undefined => {
  const said = asked.filter((name) => ofState.has(name))
  if (said.length === 0)
    return { from: sql`device t left join device_state s on s.device_id = t.id ${place.joins} ${group}`, id: sql`t.id` }
  if (said.length === asked.length)
    return {
      from: sql`device_state s left join device t on t.id = s.device_id ${place.joins} ${group}`,
      id: sql`s.device_id`,
      alone: { from: sql`device_state s`, id: sql`s.device_id`, department: sql`s.department_id` },
    }
  return undefined
}

/** The registry beside what the device says of itself, joined so that an order by either can be read off an index. */
export const deviceTable: Table<typeof device> = bindTable(device, {
  name: 'device',
  joins: sql`join device_state s on s.device_id = t.id ${place.joins} ${group}`,
  searched,
  columns: {
    ...place.columns,
    iotStatus: sql`s.iot_status`,
    ip: sql`s.public_ip`,
    firmwareVersion: sql`s.firmware_version`,
    systemVersion: sql`s.system_version`,
    groupId: ofGroup(sql`t.group_id`),
    groupName: ofGroup(sql`g.name`),
    locked: sql`s.locked`,
    battery: sql`s.battery`,
    charging: sql`s.charging`,
    lastConnected: sql`s.connected_at`,
    offlineSince,
    robotState: sql`s.robot_state`,
    pending: broughtColumn('device.pending'),
    licence: broughtColumn('device.licence'),
  },
  filters: {
    ...place.filters,
    firmwareVersion: partOfFewValues(sql`firmware_versions()`, sql`s.firmware_version`),
    iotStatus: isConnected,
    ip: fromItsStart(sql`s.public_ip`),
    locked: (locked: boolean) => sql<SqlBool>`s.locked = ${locked}`,
    seenToday: (seen: boolean) => sql<SqlBool>`t.activation_status <> 0 and ${seenToday} = ${seen}`,
    problem: hasProblem,
    charging: (states: readonly string[]) => sql<SqlBool>`s.charging = any(${states})`,
    active: (active: boolean) => sql<SqlBool>`${activeLately} = ${active}`,
    enrolled: (enrolled: boolean) => sql<SqlBool>`(t.credential_hash is not null) = ${enrolled}`,
    app: (name: string) =>
      name === ''
        ? sql<SqlBool>`true`
        : sql<SqlBool>`exists (select from device_app a where a.device_id = t.id and a.package = ${name})`,
    own: ownCondition,
    licence: broughtFilter('device.licence'),
    // A group may be a saved filter, which has to be read first.
    groupId: () => sql<SqlBool>`true`,
  },
  countedAs,
  fewValues: { firmwareVersion: sql`firmware_versions()` },
  lookedUp: (db, scope, { groupId }) =>
    Array.isArray(groupId) ? memberOf(db, deviceTable, scope, groupId) : Promise.resolve(sql<SqlBool>`true`),
  path: place.path,
  counted: countReached('device'),
  key: ['sn'],
  constraints: { device_sn_key: deviceErrors.exists },
})
