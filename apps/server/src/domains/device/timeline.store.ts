import type { AnswerOf, deviceEvent, TimelineEntry } from '@campanile/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../kit/actor.ts'
import { reaches } from '../../kit/scope.ts'
import type { Db } from '../../platform/db.ts'
import { ownedSince } from './handover.store.ts'

const pageSize = 50
/** What an entry shows of an object. Of an event's data the rest is asked for by its id, of a change in the operation log. */
const shownBytes = 2_000
const short = (object: RawBuilder<unknown>) =>
  sql`case when octet_length(${object}::text) <= ${shownBytes} then ${object} end`

export interface TimelineScopes {
  /** Where the caller may see commands. */
  readonly commands: Scope | null
  /** Where the caller may read the operation log; nothing of it is shown to others. */
  readonly operations: Scope | null
}

/**
 * Everything that ever happened to a device, newest first: each source gives its newest fifty by its own index, and
 * the fifty newest of those are the page. What happened under another organisation stays that organisation's.
 */
export const findTimeline = async (
  db: Db,
  device: { id: number; sn: string },
  scopes: TimelineScopes,
  before: string | undefined,
): Promise<{ rows: TimelineEntry[]; next: string | null }> => {
  const earlier = (time: RawBuilder<unknown>) => (before ? sql`and ${time} < ${before}` : sql``)
  const newest = sql`order by 1 desc limit ${pageSize + 1}`
  const sources = [
    sql`select time, case when online then 'connected' else 'disconnected' end as kind,
        coalesce(reason, '') as title, 'info' as level,
        jsonb_strip_nulls(jsonb_build_object('reason', reason, 'address', address, 'detail', detail)) as data
      from presence_log where device_id = ${device.id} ${earlier(sql`time`)} ${newest}`,
    sql`select time, 'event', type, level,
        jsonb_strip_nulls(jsonb_build_object('text', text, 'data', ${short(sql`data`)},
          'whole', case when octet_length(data::text) > ${shownBytes} then event_id end,
          'serverTime', nullif(server_time, false), 'untaken', untaken))
      from device_event where device_id = ${device.id} and time >= ${ownedSince(sql`${device.id}`)}
        ${earlier(sql`time`)} ${newest}`,
    sql`select time, 'refused', reason, 'minor',
        jsonb_strip_nulls(jsonb_build_object('address', address, 'count', count, 'message', detail))
      from refused_connection where sn = ${device.sn} ${earlier(sql`time`)} ${newest}`,
    sql`select used_time, 'activated', 'activated', 'info', '{}'::jsonb
      from activation_code where sn = ${device.sn} and used_time >= (select create_time from device
        where id = ${device.id}) ${earlier(sql`used_time`)} ${newest}`,
    sql`select create_time, 'registered', 'registered', 'info', '{}'::jsonb
      from device where id = ${device.id} ${earlier(sql`create_time`)}`,
    ...(scopes.commands
      ? [commandsOf(device, scopes.commands, earlier, newest), attemptsOf(device, scopes.commands, earlier, newest)]
      : []),
    ...(scopes.operations ? [operationsOf(device, scopes.operations, earlier, newest)] : []),
  ]
  const { rows } = await sql<TimelineEntry>`select time, kind, title, level, data
    from (${sql.join(
      sources.map((each) => sql`(${each})`),
      sql` union all `,
    )}) happened order by time desc limit ${pageSize + 1}`.execute(db)
  const page = rows.slice(0, pageSize)
  return { rows: page, next: rows.length > pageSize ? (page.at(-1)?.time ?? null) : null }
}

type Earlier = (time: RawBuilder<unknown>) => RawBuilder<unknown>

const commandsOf = (device: { sn: string }, scope: Scope, earlier: Earlier, newest: RawBuilder<unknown>) =>
  sql`select c.create_time, 'command', c.command, case when c.state in ('failed', 'expired') then 'minor' else 'info' end,
      jsonb_strip_nulls(jsonb_build_object('state', c.state, 'reason', c.reason, 'taskId', c.task_id,
        'endTime', c.end_time, 'creatorName', u.real_name))
    from command c join device_task k on k.id = c.task_id join department d on d.id = c.department_id
      left join sys_user u on u.id = k.creator_id
    where c.sn = ${device.sn} and c.attempt = 1 and ${reaches(scope, sql`d.path`)} ${earlier(sql`c.create_time`)} ${newest}`

/** What was tried more than once, each try by itself, with whoever asked for it. */
const attemptsOf = (device: { sn: string }, scope: Scope, earlier: Earlier, newest: RawBuilder<unknown>) =>
  sql`select a.time, 'command', c.command, case when a.state in ('failed', 'expired') then 'minor' else 'info' end,
      jsonb_strip_nulls(jsonb_build_object('state', a.state, 'reason', a.reason, 'taskId', c.task_id,
        'attempt', a.attempt, 'endTime', a.end_time, 'creatorName', u.real_name))
    from command c join device_task k on k.id = c.task_id join department d on d.id = c.department_id
      cross join lateral (
        select attempt, time, by, state, reason, "endTime" as end_time from jsonb_to_recordset(coalesce(c.earlier, '[]'))
          as before(attempt integer, time timestamptz, by bigint, state text, reason text, "endTime" timestamptz)
        union all select c.attempt, coalesce(c.attempt_time, c.create_time), c.attempt_by, c.state, c.reason, c.end_time) a
      left join sys_user u on u.id = coalesce(a.by, k.creator_id)
    where c.sn = ${device.sn} and c.attempt > 1 and ${reaches(scope, sql`d.path`)} ${earlier(sql`a.time`)} ${newest}`

/** Lines about the device itself: its registration, its edits, its moves. */
const operationsOf = (device: { sn: string }, scope: Scope, earlier: Earlier, newest: RawBuilder<unknown>) =>
  sql`select l.create_time, case when l.route ~* 'transfer' then 'moved'
      else 'operation' end, l.type, 'info',
      jsonb_strip_nulls(jsonb_build_object('username', l.username, 'description', left(l.description, 256),
        'before', ${short(sql`l.before`)}, 'after', ${short(sql`l.after`)}))
    from op_log l where l.module = 'device' and l.result = 'success'
      and (l.description = ${device.sn} or l.type <> 'read' and l.route ~* 'transfer' and l.description ~ ${`(^|, )${quoted(device.sn)}(,| →)`})
      and ${reaches(scope, sql`l.department_path`)} ${earlier(sql`l.create_time`)} ${newest}`

const quoted = (sn: string) => sn.replace(/[.]/g, '\\.')

/** All that one event holds. */
export const findEvent = async (db: Db, deviceId: number, id: string) =>
  (
    await sql<AnswerOf<typeof deviceEvent>>`select time, type, level, text, data from device_event
      where device_id = ${deviceId} and event_id = ${id} and time >= ${ownedSince(sql`${deviceId}`)}`.execute(db)
  ).rows[0]
