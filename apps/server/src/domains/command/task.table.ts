import {
  brokerFailure,
  brokerSuccess,
  brokerTask,
  type CommandState,
  commandMachine,
  cutMark,
  deviceTask,
  queryLog,
  shownInList,
  taskDevice,
} from '@campanile/contract'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Scope } from '../../kit/actor.ts'
import { ofDepartment } from '../../kit/department.ts'
import { reaches } from '../../kit/scope.ts'
import { bindTable } from '../../kit/table.ts'

const place = ofDepartment()

const asTask = {
  name: 'device_task',
  joins: sql`${place.joins} left join sys_user creator on creator.id = t.creator_id`,
  path: place.path,
}
/** Whether a device of the task stands where this can be done to it; asked of open tasks only. */
const standsAt = (event: 'cancel' | 'giveUp') => sql`t.waiting > 0 and exists (select from command c
  where c.task_id = t.id and c.state = any(${commandMachine.from(event)}))`
const taskColumns = {
  ...place.columns,
  taskId: sql`to_char(t.create_time, 'YYYYMMDD') || '-' || t.number`,
  creatorName: sql`creator.real_name`,
  // Nothing above the reader's reach is theirs to see, not even a name.
  maintenanceOf: (scope: Scope) =>
    sql`case when t.maintenance_of is not null then array(select o.name from department o
      where o.id = any(t.maintenance_of) and ${reaches(scope, sql`o.path`)} order by o.name) end`,
  unsent: sql`t.plan is not null or ${standsAt('cancel')}`,
  begun: standsAt('giveUp'),
  resendable: sql`t.cancelled > 0 and exists (select from command c where c.task_id = t.id and c.state = 'cancelled')`,
}

/**
 * A plan is called off as a whole and its figures are of all it means: it is for its giver, and for whoever reaches every
 * department whose devices it was made for (behaviour: commands.planned-reach). A department that is gone is reached by nobody.
 */
const planInReach = (scope: Scope) =>
  scope.everything
    ? sql<SqlBool>`true`
    : sql<SqlBool>`(t.planned_in is null or t.creator_id = ${scope.actorId} or not exists (
        select from unnest(t.planned_in) meant(id) left join department m on m.id = meant.id
        where (${reaches(scope, sql`m.path`)}) is not true))`

const dayOf = /^(\d{4})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])$/

/** A task by the number people read: its day, its number, or both; a part of a number would find nothing by an index. */
const numbered = (asked: string): RawBuilder<SqlBool> => {
  const [, before = '', dash = '', after = ''] = /^"?(\d{0,15})(-?)(\d{0,15})"?$/.exec(asked) ?? []
  const [, year, month, date] = dayOf.exec(before) ?? []
  const made = sql<SqlBool>`t.create_time >= make_date(${Number(year)}, ${Number(month)}, 1) + ${Number(date) - 1}::int
    and t.create_time < make_date(${Number(year)}, ${Number(month)}, 1) + ${Number(date)}::int`
  if (dash && after)
    return before === '' ? sql`t.number = ${after}` : year ? sql`t.number = ${after} and ${made}` : sql`false`
  if (before === '') return sql`false`
  return year ? sql`(t.number = ${before} or ${made})` : dash ? sql`false` : sql`t.number = ${before}`
}

export const taskTable = bindTable(deviceTask, {
  ...asTask,
  columns: taskColumns,
  filters: {
    taskId: numbered,
    sn: (sns: readonly string[]) =>
      sns.length === 0
        ? sql<SqlBool>`true`
        : sql<SqlBool>`exists (select from command c where c.task_id = t.id and c.sn = any(${sns}))`,
  },
  // What a release tells its devices is the release's to show and to stop.
  visible: (scope) => sql`t.origin_kind not in ('brokerTask', 'release') and ${planInReach(scope)}`,
})

export const brokerTaskTable = bindTable(brokerTask, {
  ...asTask,
  columns: { ...taskColumns, topic: sql`coalesce(t.args ->> 'topic', t.args -> 'payload' ->> 'command', t.command)` },
  visible: (scope) => sql`t.origin_kind = 'brokerTask' and ${planInReach(scope)}`,
})

const answer = sql`t.result::text`
/** As much of a long text as a list shows. The mark at its end says that there is more, which no JSON ends with. */
const begun = (text: RawBuilder<unknown>) =>
  sql`case when length(${text}) > ${shownInList} then left(${text}, ${shownInList}) || ${cutMark} else ${text} end`

const lasted = sql`(extract(epoch from t.end_time - t.sent_time) * 1000)::bigint`

export const taskDeviceTable = bindTable(taskDevice, {
  name: 'command',
  joins: sql`${place.joins} left join export_file sent on sent.id = t.file_id`,
  columns: {
    sn: sql`t.sn`,
    result: answer,
    fileName: sql`sent.name`,
    fileSize: sql`sent.size`,
    milliseconds: lasted,
    urgency: sql`case t.state when 'failed' then 1 when 'refused' then 2 when 'expired' then 3 when 'cancelled' then 7
      when 'done' then 8 when 'acknowledged' then 4 when 'sent' then 5 else 6 end`,
  },
  inList: { result: begun(answer) },
  path: place.path,
})

const endedOf = (states: readonly CommandState[]) => ({
  name: 'command',
  joins: sql`${place.joins} join device_task k on k.id = t.task_id`,
  columns: { result: answer },
  inList: { result: begun(answer) },
  path: place.path,
  visible: () => sql<SqlBool>`k.origin_kind = 'brokerTask' and t.state = any(${states})`,
})
export const brokerSuccessTable = bindTable(brokerSuccess, endedOf(['done']))
export const brokerFailureTable = bindTable(brokerFailure, endedOf(['failed', 'expired', 'cancelled', 'refused']))

const outcome = sql`case t.state when 'done' then 'ok' when 'failed' then 'error' when 'cancelled' then 'error' when 'refused' then 'error'
  when 'expired' then 'timeout' else 'waiting' end`

const request = sql`k.args::text`
const response = sql`coalesce(${answer}, t.reason)`

/** The same rows once more, as somebody reads them who looks for a fault. Secrets are never among the arguments that can be read. */
export const queryLogTable = bindTable(queryLog, {
  name: 'command',
  joins: sql`${place.joins} join device_task k on k.id = t.task_id left join sys_user creator on creator.id = k.creator_id`,
  inList: { request: begun(request), response: begun(response) },
  columns: {
    request,
    response,
    milliseconds: lasted,
    creatorName: sql`creator.real_name`,
    result: outcome,
  },
  filters: {
    command: (name: string) => sql<SqlBool>`t.command = ${name}`,
    result: (results: readonly string[]) => sql<SqlBool>`${outcome} = any(${results})`,
  },
  path: place.path,
})
