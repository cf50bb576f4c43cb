import { deviceSetting, type SettingItems } from '@campanile/contract'
import { sql } from 'kysely'
import type { Scope } from '../../kit/actor.ts'
import { reaches } from '../../kit/scope.ts'
import type { Db } from '../../platform/db.ts'
import { toJsonb } from '../../platform/jsonb.ts'

export interface Version {
  version: number
  items: SettingItems
  creatorName: string | null
  createTime: string
}

export const findVersions = async (db: Db, settingId: number): Promise<Version[]> =>
  (
    await sql<Version>`select v.version, v.items, u.real_name as "creatorName", v.create_time as "createTime"
      from device_setting_version v left join sys_user u on u.id = v.creator_id
      where v.setting_id = ${settingId} order by v.version desc`.execute(db)
  ).rows

export const findItems = async (db: Db, settingId: number, version: number): Promise<SettingItems | undefined> =>
  (
    await sql<{ items: SettingItems }>`select items from device_setting_version
      where setting_id = ${settingId} and version = ${version}`.execute(db)
  ).rows[0]?.items

/** Versions only go up; an old one that is wanted again becomes the newest. */
export const addVersion = async (
  db: Db,
  settingId: number,
  items: SettingItems,
  creatorId: number,
): Promise<number> => {
  const { rows } = await sql<{ version: number }>`update device_setting set version = version + 1, update_time = now()
    where id = ${settingId} returning version`.execute(db)
  const version = rows[0]?.version as number
  await sql`insert into device_setting_version (setting_id, version, items, creator_id)
    values (${settingId}, ${version}, ${toJsonb(items)}::jsonb, ${creatorId})`.execute(db)
  return version
}

export interface Applied {
  sn: string
  version: number | null
  state: string
  reason: string | null
  updateTime: string
}

/** The last push of this setting to each device within reach that is still there; what went before is in the history. */
export const findApplied = async (db: Db, scope: Scope, settingId: number): Promise<Applied[]> =>
  (
    await sql<Applied>`select distinct on (c.sn) c.sn, k.origin_version as version, c.state, c.reason,
        c.update_time as "updateTime"
      from command c join device_task k on k.id = c.task_id join department d on d.id = c.department_id
      where k.origin_kind = ${deviceSetting.name} and k.origin_id = ${settingId} and c.device_id is not null and ${reaches(scope, sql`d.path`)}
      order by c.sn, c.id desc limit 10000`.execute(db)
  ).rows

/** What each device will be told to change, beside what it was known to hold. */
export const recordChanges = (db: Db, settingId: number, taskId: number, items: Readonly<Record<string, unknown>>) =>
  sql`insert into setting_change (setting_id, command_id, department_id, item, old_value, new_value)
    select ${settingId}, c.id, c.department_id, n.key, held.value #>> '{}', n.value #>> '{}'
    from command c cross join jsonb_each(${toJsonb(items)}::jsonb) n
      left join device_setting_value held on held.device_id = c.device_id and held.item = n.key
    where c.task_id = ${taskId}`.execute(db)

export const rememberSettings = (db: Db, deviceIds: readonly number[], items: Readonly<Record<string, unknown>>) =>
  sql`insert into device_setting_value (device_id, item, value)
    select d.id, n.key, n.value from unnest(${deviceIds}::bigint[]) d(id)
      cross join jsonb_each(${toJsonb(items)}::jsonb) n
    on conflict (device_id, item) do update set value = excluded.value`.execute(db)
