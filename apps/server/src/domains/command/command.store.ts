import {
  type CommandName,
  type CommandState,
  commandMachine,
  commandReasons,
  commandStates,
  protocol,
} from '@campanile/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import { toJsonb } from '../../platform/jsonb.ts'
import type { Known } from '../device/index.ts'
import type { MaintenanceWindow } from '../organisation/index.ts'
import { type Moved, moved } from './reply.store.ts'
import type { TargetInput } from './target.ts'

/** Not over yet: an event still leads out of it towards an end. */
export const openStates = commandStates.filter((state) => commandMachine.can(state, 'expire'))

export const findRunning = async (db: Db, deviceIds: readonly number[], kind: string): Promise<Set<number>> => {
  const { rows } = await sql<{ id: number }>`select device_id as id from command
    where device_id = any(${deviceIds}) and exclusive_kind = ${kind} and state = any(${openStates})`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

export const findFrequent = async (
  db: Db,
  deviceIds: readonly number[],
  kind: string,
  { changes, minutes }: { changes: number; minutes: number },
): Promise<Map<number, string>> => {
  // Its peace ends when the oldest of the changes that count is old enough.
  const { rows } = await sql<{ id: number; until: string }>`select device_id as id,
      (array_agg(create_time order by create_time desc))[${changes}] + ${minutes} * interval '1 minute' as until
    from command where device_id = any(${deviceIds}) and exclusive_kind = ${kind} and state <> 'refused'
      and create_time > now() - ${minutes} * interval '1 minute'
    group by device_id having count(*) >= ${changes}`.execute(db)
  return new Map(rows.map(({ id, until }) => [id, until]))
}

/** Those whose organisation, or one above it, wants a device key (behaviour: organisations.device-key), and that hold none. */
export const findKeyless = async (db: Db, deviceIds: readonly number[]): Promise<Set<number>> => {
  const { rows } = await sql<{ id: number }>`select t.id from device t join department d on d.id = t.department_id
    where t.id = any(${deviceIds}) and t.credential_hash is null
      and exists (select from department a where d.path <@ a.path and a.device_key_status)`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** What a task was given for: the name of a resource, and which row of it. */
export interface Origin {
  readonly kind: string
  readonly id: number
  /** Of the row, where it has versions. */
  readonly version?: number
}
/** A task that was given for nothing but itself, from one of the two lists of tasks. */
type OwnOrigin = { readonly kind: 'deviceTask' | 'brokerTask'; readonly id?: undefined; readonly version?: undefined }

export interface TaskDraft {
  readonly origin: Origin | OwnOrigin
  readonly command: CommandName
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly args: Readonly<Record<string, unknown>>
  /** With which it goes to devices; the usual one where nobody chose. */
  readonly qos?: protocol.CommandQos | undefined
  readonly departmentId: number
  /** Nobody in particular where a room gives it by itself. */
  readonly creatorId: number | null
  readonly planned?: Planned | undefined
  readonly window?: MaintenanceWindow | undefined
  /** Of the organisations whose window it is. */
  readonly windowOf?: readonly number[] | undefined
}

/** What a task that begins later is to do then, and for whom it would be now. */
interface Planned {
  readonly sendTime: string
  readonly plan: Plan
  readonly devices: readonly Known[]
  /** How many of them could take it as things stand. */
  readonly total: number
}
/** Who is meant in the words of the order, and with which permission and organisation it was given. */
export interface Plan {
  readonly target: TargetInput
  readonly waitMinutes?: number | undefined
  readonly perm: string
  readonly operating: number | null
  readonly window?: PlannedWindow | undefined
}
/** For whom a task was planned that begins when their maintenance window opens. */
export interface PlannedWindow {
  readonly ids: readonly number[]
  /** It also writes down who has no window, once for all tasks of an order. */
  readonly rest: boolean
}

const departmentsOf = (devices: readonly Known[]) => [...new Set(devices.map(({ departmentId }) => departmentId))]

const numbered = sql`to_char(create_time, 'YYYYMMDD') || '-' || number as "taskId"`

export const insertTask = async (db: Db, task: TaskDraft): Promise<{ id: number; taskId: string }> => {
  const { rows } = await sql<{ id: number; taskId: string }>`insert into device_task
      (command, name, description, args, department_id, creator_id, origin_kind, origin_id, origin_version, qos,
        plan, send_time, total, planned_in, maintenance_window, maintenance_end,
        maintenance_days, maintenance_of)
    values (${task.command}, ${task.name || null}, ${task.description || null}, ${toJsonb(task.args)}::jsonb,
      ${task.departmentId}, ${task.creatorId}, ${task.origin.kind}, ${task.origin.id ?? null},
      ${task.origin.version ?? null}, ${task.qos ?? protocol.commandQosDefault},
      ${task.planned ? toJsonb(task.planned.plan) : null}::jsonb, ${task.planned?.sendTime ?? null}, ${task.planned?.total ?? 0},
      ${task.planned ? departmentsOf(task.planned.devices) : null}::bigint[],
      ${task.window?.hours ?? null}, ${task.window?.closes.toISOString() ?? null},
      ${task.window?.days ?? null}::integer[], ${task.windowOf ?? null}::bigint[])
    returning id, ${numbered}`.execute(db)
  return rows[0] as { id: number; taskId: string }
}

export interface Task {
  id: number
  taskId: string
  command: CommandName
  /** It was given for the maintenance window. */
  inWindow: boolean
}
export const findTask = async (db: Db, id: number): Promise<Task> =>
  (
    await sql<Task>`select id, command, maintenance_window is not null as "inWindow", ${numbered}
    from device_task where id = ${id}`.execute(db)
  ).rows[0] as Task

export const sealArgs = (db: Db, taskId: number, sealed: string) =>
  sql`update device_task set sealed_args = ${sealed} where id = ${taskId}`.execute(db)

/** How long a command waits for its device; not before, and not after. */
export interface Waits {
  readonly minutes: number
  readonly due?: string | undefined
  readonly until?: Date | undefined
}

/** One row a device. Answers those that another change of the kind was faster on. */
export const insertCommands = async (
  db: Db,
  taskId: number,
  devices: readonly Known[],
  { command, kind, minutes, due, until }: Waits & { readonly command: CommandName; readonly kind: string | undefined },
): Promise<Known[]> => {
  const { rows } = await sql<{ sn: string }>`insert into command
      (task_id, device_id, sn, department_id, command, exclusive_kind, due, expires)
    select ${taskId}, d.id, d.sn, d.department_id, ${command}, ${kind ?? null}, ${due ?? null}::timestamptz,
      least(greatest(${due ?? null}::timestamptz, now()) + ${minutes} * interval '1 minute',
        ${until?.toISOString() ?? null}::timestamptz)
    from unnest(${devices.map(({ id }) => id)}::bigint[], ${devices.map(({ sn }) => sn)}::text[],
      ${devices.map(({ departmentId }) => departmentId)}::bigint[]) d(id, sn, department_id)
    order by d.id on conflict do nothing returning sn`.execute(db)
  const queued = new Set(rows.map(({ sn }) => sn))
  return devices.filter(({ sn }) => !queued.has(sn))
}

/** Who could not take it when the task began, with the code that says why. It bars no other command. */
export interface RefusedDevice {
  readonly sn: string
  readonly code: number
  readonly device?: Pick<Known, 'id' | 'departmentId'> | undefined
}
export const insertRefused = (
  db: Db,
  task: { readonly id: number; readonly departmentId: number; readonly command: CommandName },
  refused: readonly RefusedDevice[],
) =>
  sql`insert into command (task_id, device_id, sn, department_id, command, state, reason, expires, end_time)
    select ${task.id}, d.id, d.sn, coalesce(d.department_id, ${task.departmentId}), ${task.command}, 'refused', d.code, now(), now()
    from unnest(${refused.map(({ device }) => device?.id ?? null)}::bigint[], ${refused.map(({ sn }) => sn)}::text[],
      ${refused.map(({ device }) => device?.departmentId ?? null)}::bigint[],
      ${refused.map(({ code }) => String(code))}::text[]) d(id, sn, department_id, code) order by d.sn`.execute(db)

/** Those of these devices that something is under way for. */
export const findBusy = async (db: Db, deviceIds: readonly number[]): Promise<Set<number>> => {
  const { rows } = await sql<{ id: number }>`select distinct device_id as id from command
    where device_id = any(${deviceIds}) and state = any(${openStates})`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Cancels what has not been sent; answers how many. */
export const cancelQueued = async (db: Db, taskId: number): Promise<number> => {
  const { rows } =
    await sql`update command set state = ${commandMachine.next('cancel')}, end_time = now(), update_time = now()
    where task_id = ${taskId} and state = any(${commandMachine.from('cancel')}) returning id`.execute(db)
  return rows.length
}

/** No longer waited for; answers whose they were. The row frees its device for the opposite at once. */
export const giveUpBegun = async (db: Db, taskId: number, sns: readonly string[] | undefined): Promise<string[]> =>
  (
    await sql<{
      sn: string
    }>`update command set state = ${commandMachine.next('giveUp')}, reason = ${commandReasons.givenUp},
        end_time = now(), update_time = now()
      where task_id = ${taskId} and state = any(${commandMachine.from('giveUp')})
        ${sns ? sql`and sn = any(${sns})` : sql``} returning sn`.execute(db)
  ).rows.map(({ sn }) => sn)

/** Whoever gave them waits for none of these any more: what was not sent never is, what was may still be done. */
export const withdrawOpen = async (db: Db, ids: readonly number[]): Promise<number[]> =>
  (
    await sql<{ taskId: number }>`update command set state = ${commandMachine.next('giveUp')},
        reason = case when state = any(${commandMachine.from('giveUp')}) then ${commandReasons.givenUp} end,
        end_time = now(), update_time = now()
      where id in (select id from command where id = any(${ids}) and state = any(${openStates}) order by id for update)
      returning task_id as "taskId"`.execute(db)
  ).rows.map(({ taskId }) => taskId)

export interface Retried {
  id: number
  sn: string
  deviceId: number | null
}
export const findRetriable = async (
  db: Db,
  taskId: number,
  states: readonly string[],
  sns: readonly string[] | undefined,
): Promise<Retried[]> =>
  (
    await sql<Retried>`select id, sn, device_id as "deviceId" from command
      where task_id = ${taskId} and state = any(${states})
        ${sns ? sql`and sn = any(${sns})` : sql``} order by device_id for update`.execute(db)
  ).rows

/** Enough for a timeline to tell, little enough for a row to hold. */
const keptAttempts = 100
/** A new attempt with a new id to the device, so that it is done again and not merely answered again. */
export const requeue = (
  db: Db,
  ids: readonly number[],
  { minutes, by, kind }: { readonly minutes: number; readonly by: number; readonly kind: string | undefined },
) =>
  sql`update command set exclusive_kind = ${kind ?? null}, due = null, state = ${commandMachine.next('retry')}, attempt = attempt + 1, plain_id = false, percent = null,
      earlier = case when jsonb_array_length(earlier) >= ${keptAttempts} then earlier - 0 else coalesce(earlier, '[]') end
        || jsonb_strip_nulls(jsonb_build_object('attempt', attempt, 'time', coalesce(attempt_time, create_time),
          'by', attempt_by, 'state', state, 'reason', reason, 'endTime', end_time)),
      attempt_time = now(), attempt_by = ${by},
      reason = null, result = null, asks = 0, asked_time = null, file_id = null, sent_time = null, end_time = null, update_time = now(), expires = now() + ${minutes} * interval '1 minute'
    where id = any(${ids}) and state = any(${commandMachine.from('retry')})`.execute(db)

export interface TriedOnce {
  attempt: number
  time: string
  byName: string | null
  state: CommandState
  reason: string | null
  endTime: string | null
}
/** Every try of a command, each with whoever asked for it and how it ended: `a` beside its row `c` and its task `k`. */
export const attempts = sql`(
  select attempt, time, by, state, reason, "endTime" as end_time from jsonb_to_recordset(coalesce(c.earlier, '[]'))
    as before(attempt integer, time timestamptz, by bigint, state text, reason text, "endTime" timestamptz)
  union all select c.attempt, coalesce(c.attempt_time, c.create_time), c.attempt_by, c.state, c.reason, c.end_time) a`
export const findAttempts = async (db: Db, id: number): Promise<TriedOnce[]> =>
  (
    await sql<TriedOnce>`select a.attempt, a.time, u.real_name as "byName", a.state, a.reason, a.end_time as "endTime"
      from command c join device_task k on k.id = c.task_id cross join lateral ${attempts}
        left join sys_user u on u.id = coalesce(a.by, k.creator_id)
      where c.id = ${id} order by a.attempt desc`.execute(db)
  ).rows

/** They will never answer: what waits for them has failed. */
export const failOf = async (db: Db, deviceIds: readonly number[], reason: string): Promise<Moved[]> =>
  (
    await sql<Moved>`update command c set state = ${commandMachine.next('fail')}, reason = ${reason},
        end_time = now(), update_time = now()
      where device_id = any(${deviceIds}) and state = any(${commandMachine.from('fail')}) returning ${moved}`.execute(
      db,
    )
  ).rows

const expiredAtOnce = 5_000
export const expireOverdue = async (db: Db): Promise<Moved[]> =>
  (
    await sql<Moved>`update command c set state = ${commandMachine.next('expire')}, end_time = now(),
        update_time = now(), reason = case when attempt = 1 and exists (select from device_task k
            where k.id = c.task_id and k.maintenance_end <= c.expires)
          then ${commandReasons.windowClosed} else ${commandReasons.timeLimit} end
      where state = any(${commandMachine.from('expire')}) and id in (
        select id from command where state = any(${openStates}) and expires <= now() order by id
        limit ${expiredAtOnce} for update skip locked) returning ${moved}`.execute(db)
  ).rows
