import {
  type InstallMode,
  openDeviceStates,
  type PauseReason,
  type ReleaseMode,
  type ReleaseOptions,
  type ReleaseState,
  releaseDeviceMachine,
} from '@campanile/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import { toJsonb } from '../../platform/jsonb.ts'
import type { Known } from '../device/index.ts'
import type { Because, WaveStanding } from './decide.ts'
import type { Given, HeardStep } from './kinds.ts'

/** What is known of a release beside its devices. */
export interface StoredRelease {
  readonly id: number
  readonly number: string
  readonly kind: string
  readonly itemId: number
  readonly itemName: string
  readonly itemVersion: string | null
  readonly action: string
  readonly mode: ReleaseMode
  readonly installMode: InstallMode | null
  readonly options: ReleaseOptions
  readonly given: Given
  readonly state: ReleaseState
  readonly because: Because
  readonly wave: number
  readonly waveCount: number
  readonly forgiven: number
  readonly waived: boolean
  readonly departmentId: number
  readonly path: string
  readonly creatorId: number | null
  readonly beginTime: string | null
}

const stored = sql`r.id, r.number::text as number, r.kind, r.item_id as "itemId", r.item_name as "itemName",
  r.item_version as "itemVersion", r.action, r.mode, r.install_mode as "installMode", r.options, r.given, r.state, r.because, r.wave,
  r.wave_count as "waveCount", r.forgiven, r.waived, r.department_id as "departmentId", d.path::text as path,
  r.creator_id as "creatorId", r.begin_time as "beginTime"`

const read = async (db: Db, id: number, held = sql``): Promise<StoredRelease | undefined> =>
  (
    await sql<StoredRelease>`select ${stored} from release r join department d on d.id = r.department_id
      where r.id = ${id} ${held}`.execute(db)
  ).rows[0]
export const findRelease = (db: Db, id: number) => read(db, id)
// No key update: steps that answers of devices write refer to the row and must not wait for whoever holds it.
/** For a person: waits until the engine has ended its step. */
export const lockRelease = (db: Db, id: number) => read(db, id, sql`for no key update of r`)
/** For the engine: nothing where another server or a person is at it. */
export const takeRelease = (db: Db, id: number) =>
  read(db, id, sql`and r.state <> 'ended' for no key update of r skip locked`)

/** Those the engine has to look at by now. */
export const findDue = async (db: Db, limit: number): Promise<number[]> =>
  (
    await sql<{ id: number }>`select id from release where state <> 'ended' and look_time <= now()
      order by look_time limit ${limit}`.execute(db)
  ).rows.map(({ id }) => id)

export const lookAgain = (db: Db, id: number, at: Date) =>
  sql`update release set look_time = ${at.toISOString()} where id = ${id}`.execute(db)

/** A wave as it stands, with what its list and its detail show of it. */
export interface CountedWave extends WaveStanding {
  readonly devices: number | null
  readonly percent: number | null
  readonly told: number
  readonly waiting: number
  readonly published: number
  readonly downloading: number
  readonly upgrading: number
  readonly pendingRetry: number
  readonly beginTime: Date | null
}

const timed = sql`v.state in ('published', 'downloading', 'upgrading') and v.told_time is not null`
const untold = sql`v.state = 'published' and v.told_time is null and v.pushed`
const waits = sql`v.state = 'pendingRetry'`

type Times = 'nextTime' | 'beginTime' | 'endTime' | 'bakeUntil'
type Counted = Omit<CountedWave, Times> & Record<Times, string | null>
const dateOf = (time: string | null) => (time === null ? null : new Date(time))

/** How every wave of a release stands; counted from its devices, so that it is true whatever was going on. */
export const countWaves = async (db: Db, id: number): Promise<CountedWave[]> => {
  const { rows } =
    await sql<Counted>`select w.wave, w.size, w.devices, w.percent, w.bake_minutes as "bakeMinutes", w.skipped,
      w.begin_time as "beginTime", w.end_time as "endTime", w.bake_until as "bakeUntil", n.*
    from release_wave w cross join lateral (select
        count(*) filter (where v.told_time is not null)::int as told, count(*) filter (where ${untold})::int as waiting,
        count(*) filter (where v.state = 'published')::int as published,
        count(*) filter (where v.state = 'downloading')::int as downloading,
        count(*) filter (where v.state = 'upgrading')::int as upgrading,
        count(*) filter (where v.state = 'succeeded')::int as succeeded,
        count(*) filter (where v.state = 'failed')::int as failed,
        count(*) filter (where v.state = 'pendingRetry')::int as "pendingRetry",
        count(*) filter (where v.state = 'cancelled')::int as cancelled,
        count(*) filter (where v.state = any(${openDeviceStates}))::int as open,
        count(*) filter (where ${timed})::int as "underWay",
        count(*) filter (where ${untold} and coalesce(v.begin_time, now()) <= now()
          or ${waits} and v.due_time <= now())::int as ready,
        count(*) filter (where ${timed} and v.due_time <= now())::int as overdue,
        min(case when ${untold} then v.begin_time when ${timed} or ${waits} then v.due_time end) as "nextTime"
      from release_device v where v.release_id = w.release_id and v.wave = w.wave) n
    where w.release_id = ${id} order by w.wave`.execute(db)
  return rows.map(({ nextTime, beginTime, endTime, bakeUntil, ...wave }) => ({
    ...wave,
    nextTime: dateOf(nextTime),
    beginTime: dateOf(beginTime),
    endTime: dateOf(endTime),
    bakeUntil: dateOf(bakeUntil),
  }))
}

const figures = [
  'waiting',
  'told',
  'published',
  'downloading',
  'upgrading',
  'succeeded',
  'failed',
  'pendingRetry',
  'cancelled',
] as const
/** Keeps the figures of a release as they were counted; answers whether any was another before. */
export const keepFigures = async (db: Db, id: number, waves: readonly CountedWave[]): Promise<boolean> => {
  const all = Object.fromEntries(
    figures.map((name) => [name, waves.reduce((sum, wave) => sum + wave[name], 0)]),
  ) as Record<(typeof figures)[number], number>
  const { rows } =
    await sql`update release set waiting = ${all.waiting}, told = ${all.told}, published = ${all.published},
      downloading = ${all.downloading}, upgrading = ${all.upgrading}, succeeded = ${all.succeeded}, failed = ${all.failed},
      pending_retry = ${all.pendingRetry}, cancelled = ${all.cancelled}
    where id = ${id} and (waiting, told, published, downloading, upgrading, succeeded, failed, pending_retry, cancelled)
      is distinct from (${all.waiting}, ${all.told}, ${all.published}, ${all.downloading}, ${all.upgrading},
        ${all.succeeded}, ${all.failed}, ${all.pendingRetry}, ${all.cancelled})
    returning id`.execute(db)
  return rows.length > 0
}

/** Something that happened, for people: to the release, or to one of its devices. */
export interface Step extends HeardStep {
  readonly wave?: number | undefined
  readonly by?: number | null | undefined
}
export const writeSteps = (db: Db, release: Pick<StoredRelease, 'id' | 'departmentId'>, steps: readonly Step[]) =>
  steps.length === 0
    ? undefined
    : sql`insert into release_step (release_id, what, device_id, sn, wave, reason, detail, creator_id, department_id)
        select ${release.id}, * from unnest(${steps.map(({ what }) => what)}::text[],
          ${steps.map(({ device }) => device?.id ?? null)}::bigint[], ${steps.map(({ device }) => device?.sn ?? null)}::text[],
          ${steps.map(({ wave }) => wave ?? null)}::smallint[], ${steps.map(({ reason }) => reason ?? null)}::text[],
          ${steps.map(({ detail }) => detail ?? null)}::text[], ${steps.map(({ by }) => by ?? null)}::bigint[],
          ${steps.map(({ device }) => device?.departmentId ?? release.departmentId)}::bigint[])`.execute(db)

export interface ReleaseDraft {
  readonly kind: string
  readonly item: { readonly id: number; readonly name: string; readonly version: string | null }
  readonly action: string
  readonly mode: ReleaseMode
  readonly installMode: InstallMode | null
  readonly options: ReleaseOptions
  readonly given: Given
  readonly description: string | null
  readonly departmentId: number
  readonly creatorId: number | null
  readonly beginTime: string | null
  readonly waves: readonly {
    readonly devices: number | null
    readonly percent: number | null
    readonly size: number
    readonly bakeMinutes: number
  }[]
  readonly undoes: number | null
}

export const insertRelease = async (db: Db, draft: ReleaseDraft): Promise<{ id: number; number: string }> => {
  const { item, waves } = draft
  const { rows } = await sql<{
    id: number
    number: string
  }>`insert into release (kind, item_id, item_name, item_version,
      action, mode, install_mode, options, given, description, department_id, creator_id, begin_time, state, wave_count, undoes)
    values (${draft.kind}, ${item.id}, ${item.name}, ${item.version}, ${draft.action}, ${draft.mode}, ${draft.installMode},
      ${toJsonb(draft.options)}::jsonb, ${toJsonb(draft.given)}::jsonb, ${draft.description}, ${draft.departmentId}, ${draft.creatorId}, ${draft.beginTime},
      'waiting', ${waves.length}, ${draft.undoes})
    returning id, number::text as number`.execute(db)
  const made = rows[0] as { id: number; number: string }
  await sql`insert into release_wave (release_id, wave, devices, percent, size, bake_minutes)
    select ${made.id}, w.wave, w.devices, w.percent, w.size, w.bake
    from unnest(${waves.map(({ devices }) => devices)}::int[], ${waves.map(({ percent }) => percent)}::int[],
      ${waves.map(({ size }) => size)}::int[], ${waves.map(({ bakeMinutes }) => bakeMinutes)}::int[])
      with ordinality w(devices, percent, size, bake, wave)`.execute(db)
  return made
}

export interface DraftedDevice {
  readonly device: Pick<Known, 'id' | 'sn' | 'departmentId'>
  readonly wave: number
  readonly beginTime: string | null
  readonly oldVersion: string | null
}
/** One row a device. Answers the serials that another release of the kind was faster on. */
export const insertDevices = async (
  db: Db,
  { id, kind }: { readonly id: number; readonly kind: string },
  drafted: readonly DraftedDevice[],
  pushed: boolean,
): Promise<string[]> => {
  const { rows } = await sql<{ sn: string }>`insert into release_device
      (release_id, kind, pushed, device_id, sn, department_id, wave, begin_time, old_version)
    select ${id}, ${kind}, ${pushed}, v.id, v.sn, v.department_id, v.wave, v.begin_time, v.old_version
    from unnest(${drafted.map(({ device }) => device.id)}::bigint[], ${drafted.map(({ device }) => device.sn)}::text[],
      ${drafted.map(({ device }) => device.departmentId)}::bigint[], ${drafted.map(({ wave }) => wave)}::smallint[],
      ${drafted.map(({ beginTime }) => beginTime)}::timestamptz[], ${drafted.map(({ oldVersion }) => oldVersion)}::text[])
      v(id, sn, department_id, wave, begin_time, old_version)
    order by v.id on conflict (kind, device_id)
      where pushed and state in ('published', 'downloading', 'upgrading', 'pendingRetry') do nothing returning sn`.execute(
    db,
  )
  const taken = new Set(rows.map(({ sn }) => sn))
  return drafted.map(({ device }) => device.sn).filter((sn) => !taken.has(sn))
}

/** What was kept of the devices that were left out in the last moment. */
export const settleSizes = async (db: Db, id: number, refused: number) => {
  await sql`update release_wave w set size = (select count(*) from release_device v
      where v.release_id = w.release_id and v.wave = w.wave) where w.release_id = ${id}`.execute(db)
  await sql`update release set refused = ${refused},
      total = (select count(*) from release_device v where v.release_id = ${id}) where id = ${id}`.execute(db)
}

/** Answers the first department that another release of the kind is under way for. */
export const insertTargets = async (
  db: Db,
  { id, kind }: { readonly id: number; readonly kind: string },
  departmentIds: readonly number[],
): Promise<number | undefined> => {
  if (departmentIds.length === 0) return undefined
  const { rows } = await sql<{ id: number }>`insert into release_target (release_id, department_id, kind)
    select ${id}, target, ${kind} from unnest(${departmentIds}::bigint[]) target order by target
    on conflict (kind, department_id) where open do nothing returning department_id as id`.execute(db)
  const taken = new Set(rows.map((row) => row.id))
  return departmentIds.find((each) => !taken.has(each))
}

/** Of these devices, those that another release of the kind has not ended on. */
export const findRunning = async (db: Db, kind: string, deviceIds: readonly number[]): Promise<Set<number>> =>
  new Set(
    (
      await sql<{ id: number }>`select device_id as id from release_device
        where kind = ${kind} and device_id = any(${deviceIds}) and pushed and state = any(${openDeviceStates})`.execute(
        db,
      )
    ).rows.map(({ id }) => id),
  )

export const setState = (
  db: Db,
  id: number,
  state: ReleaseState,
  { reason = null, because = {} }: { readonly reason?: PauseReason | null; readonly because?: Because } = {},
) =>
  sql`update release set state = ${state}, state_reason = ${reason}, because = ${toJsonb(because)}::jsonb, look_time = now(),
      end_time = ${state === 'ended' ? sql`now()` : sql`null`} where id = ${id}`.execute(db)

/** Its departments are free for the next. */
export const closeTargets = (db: Db, id: number) =>
  sql`update release_target set open = false where release_id = ${id} and open`.execute(db)

export const beginWave = async (db: Db, id: number, wave: number) => {
  await sql`update release set wave = ${wave}, forgiven = 0, waived = false, look_time = now() where id = ${id}`.execute(
    db,
  )
  await sql`update release_wave set begin_time = now() where release_id = ${id} and wave = ${wave}`.execute(db)
}
export const endWave = (db: Db, id: number, wave: number, bakeUntil: Date) =>
  sql`update release_wave set end_time = now(), bake_until = ${bakeUntil.toISOString()}
    where release_id = ${id} and wave = ${wave}`.execute(db)

/** A device of a release that can be told now. */
export interface Tellable {
  readonly id: number
  readonly deviceId: number | null
  readonly sn: string
  readonly departmentId: number
  readonly wave: number
  readonly retried: boolean
  /** It stands where the release may reach it. */
  readonly here: boolean
}
export const lockTellable = async (db: Db, { id, wave, path }: StoredRelease, limit: number): Promise<Tellable[]> =>
  (
    await sql<Tellable>`select v.id, v.device_id as "deviceId", v.sn, coalesce(t.department_id, v.department_id) as "departmentId",
        v.wave, v.attempt > 0 as retried, coalesce(d.path <@ ${path}::ltree, false) as here
      from release_device v left join device t on t.id = v.device_id left join department d on d.id = t.department_id
      where v.release_id = ${id} and v.wave <= ${wave} and (${untold} and coalesce(v.begin_time, now()) <= now()
        or ${waits} and v.due_time <= now())
      order by v.wave, v.id limit ${limit} for update of v skip locked`.execute(db)
  ).rows

/** By which command each was told, until when it is waited for. */
export const markTold = (
  db: Db,
  told: readonly { readonly id: number; readonly commandId: number }[],
  minutes: number,
) =>
  sql`update release_device v set state = 'published', told_time = now(), command_id = c.command_id, attempt = v.attempt + 1,
      percent = null, reason = null, detail = null, due_time = now() + ${minutes} * interval '1 minute', change_time = now()
    from unnest(${told.map(({ id }) => id)}::bigint[], ${told.map(({ commandId }) => commandId)}::bigint[]) c(id, command_id)
    where v.id = c.id`.execute(db)

/** A device that is told something, as it stands. */
export interface HeldDevice {
  readonly id: number
  readonly releaseId: number
  readonly deviceId: number | null
  readonly sn: string
  readonly departmentId: number
  readonly wave: number
  readonly state: string
  readonly attempt: number
  readonly commandId: number | null
}
const held = sql`v.id, v.release_id as "releaseId", v.device_id as "deviceId", v.sn, v.department_id as "departmentId", v.wave,
  v.state, v.attempt, v.command_id as "commandId"`

/** Those that were told by these commands last; what an earlier one says finds nobody. */
export const lockByCommands = async (db: Db, commandIds: readonly number[]): Promise<HeldDevice[]> =>
  (
    await sql<HeldDevice>`select ${held} from release_device v
      where v.command_id = any(${commandIds}) and v.state = any(${openDeviceStates}) order by v.id for update`.execute(
      db,
    )
  ).rows

/** Told, and waited for in vain. Not held yet: their commands are given up first. */
export const findOverdue = async (db: Db, id: number, limit: number): Promise<HeldDevice[]> =>
  (
    await sql<HeldDevice>`select ${held} from release_device v
      where v.release_id = ${id} and ${timed} and v.due_time <= now() order by v.id limit ${limit}`.execute(db)
  ).rows

export const findDevicesIn = async (
  db: Db,
  id: number,
  { states, sns }: { readonly states?: readonly string[]; readonly sns?: readonly string[] | undefined },
): Promise<HeldDevice[]> =>
  (
    await sql<HeldDevice>`select ${held} from release_device v where v.release_id = ${id}
      ${states ? sql`and v.state = any(${states})` : sql``} ${sns ? sql`and v.sn = any(${sns})` : sql``} order by v.id`.execute(
      db,
    )
  ).rows

type DeviceEvent = keyof typeof releaseDeviceMachine.events
/** One change of one device: which way, and what is known of it. */
export interface Change {
  readonly id: number
  readonly percent?: number | null
  readonly reason?: string | null
  readonly detail?: string | null
  readonly due?: Date | null
  readonly newVersion?: string | null
}
/**
 * Leads devices to the next state; answers the rows that stood where the change begins. The table is the guard, so that a
 * late or repeated word finds nothing to change.
 */
export const moveDevices = async (db: Db, event: DeviceEvent, changes: readonly Change[]): Promise<Set<number>> => {
  if (changes.length === 0) return new Set()
  const next = releaseDeviceMachine.next(event)
  const ends = releaseDeviceMachine.isFinal(next) || next === 'failed'
  const { rows } = await sql<{ id: number }>`update release_device v set state = ${next}, percent = c.percent,
      reason = c.reason, detail = c.detail, due_time = c.due::timestamptz, change_time = now(),
      new_version = coalesce(c.version, v.new_version), attempt = case when ${event === 'retry'} then 0 else v.attempt end,
      end_time = ${ends ? sql`now()` : sql`null`}
    from unnest(${changes.map(({ id }) => id)}::bigint[], ${changes.map(({ percent }) => percent ?? null)}::int[],
      ${changes.map(({ reason }) => reason ?? null)}::text[], ${changes.map(({ detail }) => detail ?? null)}::text[],
      ${changes.map(({ due }) => due?.toISOString() ?? null)}::text[],
      ${changes.map(({ newVersion }) => newVersion ?? null)}::text[]) c(id, percent, reason, detail, due, version)
    where v.id = c.id and v.state = any(${releaseDeviceMachine.from(event)}) returning v.id`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** How far it is; never backwards, and only while it is at it. */
export const keepPercents = (db: Db, told: readonly { readonly id: number; readonly percent: number }[]) =>
  told.length === 0
    ? undefined
    : sql`update release_device v set percent = c.percent, change_time = now()
        from unnest(${told.map(({ id }) => id)}::bigint[], ${told.map(({ percent }) => percent)}::int[]) c(id, percent)
        where v.id = c.id and v.state in ('published', 'downloading', 'upgrading')
          and c.percent > coalesce(v.percent, -1)`.execute(db)

/** They will never answer: whatever waits for them has failed. */
export const failLeaving = async (db: Db, deviceIds: readonly number[]): Promise<number[]> =>
  (
    await sql<{ id: number }>`update release_device set state = 'failed', reason = 'deviceRemoved', end_time = now(),
        change_time = now(), due_time = null
      where device_id = any(${deviceIds}) and pushed and state = any(${openDeviceStates}) returning release_id as id`.execute(
      db,
    )
  ).rows.map(({ id }) => id)

/** Devices of a wave that succeeded and are not well: away, silent or crashed since they were told. */
export const countUnhealthy = async (db: Db, { id, wave, options: { health } }: StoredRelease): Promise<number> => {
  const wrong = [
    ...(health?.online ? [sql`s.iot_status not in ('online', 'flapping')`] : []),
    ...(health?.heartbeat ? [sql`coalesce(s.last_seen, '-infinity') < v.end_time - interval '5 minutes'`] : []),
    ...(health?.noCrash
      ? [
          sql`exists (select from device_event e where e.device_id = v.device_id and e.received >= v.told_time
            and (e.type ilike '%crash%' or e.level in ('critical', 'emergency')))`,
        ]
      : []),
  ]
  if (wrong.length === 0) return 0
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from release_device v
      left join device_state s on s.device_id = v.device_id
    where v.release_id = ${id} and v.wave = ${wave} and v.state = 'succeeded'
      and (${sql.join(wrong, sql` or `)})`.execute(db)
  return rows[0]?.count ?? 0
}

/** More ways to say it than anybody reads. */
const mostReasons = 50
/** Why devices failed, with the first of each; what devices say in words of their own is told apart by these words. */
export const findReasons = async (db: Db, id: number, named: number) =>
  (
    await sql<{ reason: string; detail: string | null; count: number; sns: string[] }>`select
        coalesce(reason, 'unknown') as reason, (array_agg(detail order by change_time))[1] as detail, count(*)::int as count,
        (array_agg(sn order by change_time))[1:${named}] as sns
      from release_device where release_id = ${id} and state = 'failed'
      group by 1, case when coalesce(reason, 'unknown') = 'unknown' then detail end order by 3 desc, 1, 2
      limit ${mostReasons}`.execute(db)
  ).rows

/** How far those are that download, when the next is tried again, and how much happens. */
export const findPace = async (db: Db, id: number) =>
  (
    await sql<{ percent: number | null; nextTry: string | null; stepsPerMinute: number }>`select
        (select round(avg(coalesce(percent, 0)))::int from release_device
          where release_id = ${id} and state = 'downloading') as percent,
        (select min(due_time) from release_device where release_id = ${id} and state = 'pendingRetry') as "nextTry",
        (select count(*)::int from release_step
          where release_id = ${id} and time > now() - interval '1 minute') as "stepsPerMinute"`.execute(db)
  ).rows[0] ?? { percent: null, nextTry: null, stepsPerMinute: 0 }

const stepDays = 90
export const forgetSteps = (db: Db) =>
  sql`delete from release_step s using release r where r.id = s.release_id and r.state = 'ended'
    and s.create_time < now() - ${stepDays} * interval '1 day'`.execute(db)

/** The models of these devices; of one that has said none, a blank. */
export const findModels = async (db: Db, deviceIds: readonly number[]): Promise<string[]> =>
  (
    await sql<{ model: string }>`select coalesce(model, '') as model from device where id = any(${deviceIds})`.execute(
      db,
    )
  ).rows.map(({ model }) => model)
