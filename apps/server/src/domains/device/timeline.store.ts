import { type AnswerOf, type deviceEvent, operationLog, type TimelineEntry, unshownEvents } from '@campanile/contract'
import { type RawBuilder, sql } from 'kysely'
import { type Actor, scopeFor } from '../../kit/actor.ts'
import { catchUpLog } from '../../platform/audit.ts'
import type { Db } from '../../platform/db.ts'
import { operationsAbout } from '../system/index.ts'
import { broughtParts, type TimelinePage } from './extension.ts'
import { ownedSince } from './handover.store.ts'

const pageSize = 50
/** What an entry shows of an object. Of an event's data the rest is asked for by its id, of a change in the operation log. */
const shownBytes = 2_000
const short = (object: RawBuilder<unknown>) =>
  sql`case when octet_length(${object}::text) <= ${shownBytes} then ${object} end`

/**
 * Everything that ever happened to a device, newest first: each source gives its newest fifty by its own index, and
 * the fifty newest of those are the page. What happened under another organisation stays that organisation's.
 */
export const findTimeline = async (
  db: Db,
  device: TimelinePage['device'],
  actor: Actor,
  before: string | undefined,
): Promise<{ rows: TimelineEntry[]; next: string | null }> => {
  if (scopeFor(actor, operationLog.perms.list)) await catchUpLog(db)
  const earlier = (time: RawBuilder<unknown>) => (before ? sql`and ${time} < ${before}` : sql``)
  const newest = sql`order by 1 desc limit ${pageSize + 1}`
  const page: TimelinePage = { device, actor, earlier, newest }
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
        and (type <> all(${unshownEvents}) or untaken is not null)
        ${earlier(sql`time`)} ${newest}`,
    sql`select time, 'refused', reason, 'minor',
        jsonb_strip_nulls(jsonb_build_object('address', address, 'count', count, 'message', detail))
      from refused_connection where sn = ${device.sn} ${earlier(sql`time`)} ${newest}`,
    sql`select create_time, 'registered', 'registered', 'info', '{}'::jsonb
      from device where id = ${device.id} ${earlier(sql`create_time`)}`,
    ...operationsOf(page),
    ...broughtParts('timeline').flatMap((bring) => bring(page)),
  ]
  const { rows } = await sql<TimelineEntry>`select time, kind, title, level, data
    from (${sql.join(
      sources.map((each) => sql`(${each})`),
      sql` union all `,
    )}) happened order by time desc limit ${pageSize + 1}`.execute(db)
  const shown = rows.slice(0, pageSize)
  return { rows: shown, next: rows.length > pageSize ? (shown.at(-1)?.time ?? null) : null }
}

/** Lines about the device itself: its registration, its edits, its moves. */
const operationsOf = ({ device, actor, earlier, newest }: TimelinePage) => {
  const scope = scopeFor(actor, operationLog.perms.list)
  if (!scope) return []
  const lines = operationsAbout(scope, {
    module: 'device',
    description: device.sn,
    among: { route: 'transfer', pattern: `(^|, )${quoted(device.sn)}(,| →)` },
  })
  return [
    sql`select l.time, case when l.route ~* 'transfer' then 'moved' else 'operation' end, l.type, 'info',
        jsonb_strip_nulls(jsonb_build_object('username', l.username, 'route', l.route, 'description', left(l.description, 256),
          'before', ${short(sql`l.before`)}, 'after', ${short(sql`l.after`)}))
      from (${lines}) l where true ${earlier(sql`l.time`)} ${newest}`,
  ]
}

const quoted = (sn: string) => sn.replace(/[.]/g, '\\.')

/** All that one event holds. */
export const findEvent = async (db: Db, deviceId: number, id: string) =>
  (
    await sql<AnswerOf<typeof deviceEvent>>`select time, type, level, text, data from device_event
      where device_id = ${deviceId} and event_id = ${id} and time >= ${ownedSince(sql`${deviceId}`)}`.execute(db)
  ).rows[0]
