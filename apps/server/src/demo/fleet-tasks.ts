import { type CommandName, type CommandSpec, commands } from '@campanile/contract'
import { sql } from 'kysely'
import type { Db } from '../platform/db.ts'
import { dice, type Planned } from './fleet-plan.ts'

interface Past {
  readonly by: string
  readonly command: CommandName
  readonly args?: Readonly<Record<string, unknown>>
  readonly text?: string
  /** Broker tasks have one. */
  readonly name?: string
  readonly daysAgo: number
  /** Who was meant: where, and of which type. */
  readonly at: string
  readonly type: number
  /** One in this many went wrong, and why. */
  readonly failing?: number
  readonly reason?: string
}

const north = 'Northgate Retail/Stores north'
const south = 'Northgate Retail/Stores south'
const rotterdam = 'Meridian Logistics/Depot Rotterdam'

const given: readonly Past[] = [
  {
    by: 'retail.operator',
    command: 'message',
    args: { title: 'Stocktaking', text: 'Please close the till at 20:00 today.' },
    text: 'Stocktaking north',
    daysAgo: 19,
    at: north,
    type: 2,
  },
  {
    by: 'retail.operator',
    command: 'restartApp',
    daysAgo: 16,
    at: south,
    type: 2,
    failing: 9,
    reason: 'the app is updating',
  },
  { by: 'retail.admin', command: 'lock', text: 'Kiosks off during the refit', daysAgo: 12, at: south, type: 5 },
  { by: 'retail.admin', command: 'unlock', text: 'Refit done', daysAgo: 10, at: south, type: 5 },
  {
    by: 'retail.operator',
    command: 'reboot',
    daysAgo: 6,
    at: 'Northgate Retail',
    type: 13,
    failing: 6,
    reason: 'the device is busy',
  },
  { by: 'retail.operator', command: 'listSoftware', daysAgo: 3, at: 'Northgate Retail', type: 6 },
  {
    by: 'logistics.operator',
    command: 'reboot',
    text: 'After the map update',
    daysAgo: 14,
    at: rotterdam,
    type: 3,
    failing: 4,
    reason: 'the device is busy',
  },
  {
    by: 'logistics.operator',
    command: 'restartApp',
    daysAgo: 8,
    at: 'Meridian Logistics',
    type: 8,
    failing: 12,
    reason: 'the app does not stop',
  },
  {
    by: 'logistics.admin',
    command: 'custom',
    args: { payload: { command: 'lidar/recalibrate', sweeps: 3 } },
    name: 'Lidar recalibration',
    daysAgo: 5,
    at: rotterdam,
    type: 3,
    failing: 5,
    reason: 'the system service does not answer',
  },
  {
    by: 'school.operator',
    command: 'message',
    args: { title: 'Fire drill', text: 'Fire drill at 10:15. Leave the building calmly.' },
    daysAgo: 9,
    at: 'Riverside School',
    type: 4,
  },
  {
    by: 'school.admin',
    command: 'powerSchedule',
    args: { off: '21:30', on: '06:30', weekdays: [1, 2, 3, 4, 5], enabled: true },
    text: 'Phones rest at night',
    daysAgo: 7,
    at: 'Riverside School',
    type: 4,
    failing: 15,
    reason: 'storage is full',
  },
]

/** What people asked of devices in the last weeks, and how it ended. Devices that were away did not answer in time. */
export const giveTasks = async (db: Db, placed: readonly (Planned & { departmentId: number })[]) => {
  for (const [at, task] of given.entries()) {
    const { by, command, args = {}, text = null, name = null, daysAgo, failing } = task
    const meant = placed.filter(
      ({ place, type, boxed, age }) =>
        (place === task.at || place.startsWith(`${task.at}/`)) && type === task.type && !boxed && age > daysAgo,
    )
    const spec: CommandSpec = commands[command]
    const rows = meant.map(({ sn, departmentId, goneDays }) => {
      const question = `task ${at}`
      const state =
        goneDays !== undefined && goneDays >= daysAgo
          ? 'expired'
          : failing && dice(sn, question, failing) === 0
            ? 'failed'
            : 'done'
      return { sn, departmentId, state, seconds: 1 + dice(sn, `${question} took`, 9) }
    })
    await sql`with task as (
        insert into device_task (origin_kind, command, name, description, args, department_id, creator_id, create_time, end_time)
        select ${command === 'custom' ? 'brokerTask' : 'deviceTask'}, ${command}, ${name}, ${text}, ${JSON.stringify(args)}::jsonb,
          u.department_id, u.id, t.at, t.at + interval '12 seconds'
        from sys_user u, (select now() - ${daysAgo} * interval '1 day' - interval '90 minutes' as at) t
        where u.username = ${by} returning id, create_time)
      insert into command (task_id, device_id, sn, department_id, command, exclusive_kind, state, reason, result, expires,
        create_time, sent_time, end_time, update_time)
      select task.id, d.id, d.sn, d.department_id, ${command}, ${spec.exclusive?.kind ?? null}, u.state,
        case u.state when 'failed' then ${task.reason ?? null} end,
        case u.state when 'done' then '{}'::jsonb end,
        task.create_time + ${spec.waitMinutes} * interval '1 minute', task.create_time,
        case when u.state <> 'expired' then task.create_time + interval '1 second' end, ends.at, ends.at
      from task, jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as u(sn text, state text, seconds int)
      join device d on d.sn = u.sn
      cross join lateral (select task.create_time + case u.state when 'expired' then ${spec.waitMinutes} * interval '1 minute'
        else (1 + u.seconds) * interval '1 second' end as at) ends`.execute(db)
  }
}
