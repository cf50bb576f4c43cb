import { deviceTask } from '@campanile/contract'
import { type RawBuilder, sql } from 'kysely'
import { type Scope, scopeFor } from '../../kit/actor.ts'
import { reaches } from '../../kit/scope.ts'
import type { DeviceExtension } from '../device/index.ts'
import { attempts } from './command.store.ts'

type TimelinePage = Parameters<NonNullable<DeviceExtension['timeline']>>[0]

const lastCommand = (column: 'command' | 'state') =>
  sql`(select c.${sql.ref(column)} from command c where c.device_id = t.id order by c.create_time desc limit 1)`

/** Of the power schedule the device has taken last. */
const schedule = (value: RawBuilder<unknown>) =>
  sql`(select case when coalesce((k.args->>'enabled')::boolean, true) then ${value} end
    from command c join device_task k on k.id = c.task_id
    where c.device_id = t.id and c.command = 'powerSchedule' and c.state = 'done' order by c.end_time desc limit 1)`

const commandsOf = ({ device, earlier, newest }: TimelinePage, scope: Scope) =>
  sql`select c.create_time, 'command', c.command, case when c.state in ('failed', 'expired') then 'minor' else 'info' end,
      jsonb_strip_nulls(jsonb_build_object('state', c.state, 'reason', c.reason, ${givenFor},
        'endTime', c.end_time, 'creatorName', u.real_name))
    from command c join device_task k on k.id = c.task_id join department d on d.id = c.department_id
      left join sys_user u on u.id = k.creator_id
    where c.sn = ${device.sn} and c.attempt = 1 and ${reaches(scope, sql`d.path`)} ${earlier(sql`c.create_time`)} ${newest}`

/** The page that tells more of it: its task's, or that of the release it was part of. */
const givenFor = sql`'taskId', case when k.origin_kind <> 'release' then c.task_id end,
  'releaseId', case when k.origin_kind = 'release' then k.origin_id end`

/** What was tried more than once, each try by itself, with whoever asked for it. */
const attemptsOf = ({ device, earlier, newest }: TimelinePage, scope: Scope) =>
  sql`select a.time, 'command', c.command, case when a.state in ('failed', 'expired') then 'minor' else 'info' end,
      jsonb_strip_nulls(jsonb_build_object('state', a.state, 'reason', a.reason, ${givenFor},
        'attempt', a.attempt, 'endTime', a.end_time, 'creatorName', u.real_name))
    from command c join device_task k on k.id = c.task_id join department d on d.id = c.department_id
      cross join lateral ${attempts}
      left join sys_user u on u.id = coalesce(a.by, k.creator_id)
    where c.sn = ${device.sn} and c.attempt > 1 and ${reaches(scope, sql`d.path`)} ${earlier(sql`a.time`)} ${newest}`

/** What lists and timelines of devices show of their commands. */
export const commandsOfDevices: DeviceExtension = {
  columns: {
    'device.pending': sql`(select count(*) from command c
      where c.device_id = t.id and c.state in ('queued', 'sent', 'acknowledged'))`,
    'robot.lastTask': lastCommand('command'),
    'robot.lastTaskState': lastCommand('state'),
    'videoPhone.powerOff': schedule(sql`k.args->>'off'`),
    'videoPhone.powerOn': schedule(sql`k.args->>'on'`),
    'videoPhone.powerSetTime': schedule(sql`c.end_time`),
  },
  timeline: (page) => {
    const scope = scopeFor(page.actor, deviceTask.perms.list)
    return scope ? [commandsOf(page, scope), attemptsOf(page, scope)] : []
  },
}
