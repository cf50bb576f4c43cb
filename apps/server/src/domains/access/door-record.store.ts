import { accessCommands, doorRecord, type Row } from '@campanile/contract'
import { sql } from 'kysely'
import { ofDepartment } from '../../kit/department.ts'
import { bindTable } from '../../kit/table.ts'
import type { Db } from '../../platform/db.ts'
import { toJsonb } from '../../platform/jsonb.ts'

const place = ofDepartment()

/** What the server took so much later or earlier than it happened by its device's clock is told with both times. */
const lateSeconds = 5 * 60

/** Whoever ordered it is known by the task. */
export const doorRecordTable = bindTable(doorRecord, {
  name: 'door_record',
  joins: sql`${place.joins} left join device_task ordered on ordered.id = t.task_id
    left join sys_user giver on giver.id = ordered.creator_id`,
  columns: {
    ...place.columns,
    sn: sql`t.sn`,
    creatorName: sql`giver.real_name`,
    receivedTime: sql`case when abs(extract(epoch from t.create_time - t.time)) > ${lateSeconds} then t.create_time end`,
  },
  filters: place.filters,
  path: place.path,
})

type Happening = Pick<Row<typeof doorRecord>, 'what' | 'means'> & {
  readonly deviceId: number
  readonly time: string
  readonly eventId?: string
  readonly taskId?: number
}

/** One that has said what it can, and nothing about doors, has none: what it tells is an event like any other. */
const isDoor = sql`(coalesce(cardinality(s.capabilities), 0) = 0 or s.capabilities && ${Object.keys(accessCommands)}::text[])`

/** In the order given. Where a device stands now is where it happened; one that has gone meanwhile has no door to tell of. */
export const recordHappenings = (tx: Db, happenings: readonly Happening[]) =>
  sql`insert into door_record (time, device_id, sn, what, means, department_id, event_id, task_id)
    select (u.told ->> 'time')::timestamptz, d.id, d.sn, u.told ->> 'what', u.told ->> 'means', d.department_id,
      u.told ->> 'eventId', (u.told ->> 'taskId')::bigint
    from jsonb_array_elements(${toJsonb(happenings)}::jsonb) with ordinality as u(told, turn)
    join device d on d.id = (u.told ->> 'deviceId')::bigint left join device_state s on s.device_id = d.id
    where ${isDoor} order by u.turn on conflict do nothing`.execute(tx)
