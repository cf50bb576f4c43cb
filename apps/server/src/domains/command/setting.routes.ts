import {
  AppError,
  type CommandArgs,
  commonErrors,
  deviceSetting,
  pushSetting,
  type SettingItems,
  settingDetail,
  settingHistory,
} from '@campanile/contract'
import { type SqlBool, sql } from 'kysely'
import type { Call } from '../../kit/call.ts'
import { ofDepartment } from '../../kit/department.ts'
import { byDefault, mount } from '../../kit/mount.ts'
import type { Kit } from '../../kit/route.ts'
import { findRow } from '../../kit/rows.ts'
import { reaches } from '../../kit/scope.ts'
import { bindTable } from '../../kit/table.ts'
import type { OwnChecks } from './order.ts'
import { addVersion, findApplied, findItems, findVersions, recordChanges } from './setting.store.ts'
import type { TargetInput } from './target.ts'
import type { TaskService } from './task.service.ts'

const place = ofDepartment()

const settingTable = bindTable(deviceSetting, {
  name: 'device_setting',
  joins: sql`${place.joins} left join device_setting_version v on v.setting_id = t.id and v.version = t.version`,
  columns: {
    ...place.columns,
    itemCount: sql`(select count(*) from jsonb_object_keys(coalesce(v.items, '{}')))`,
    deviceCount: (
      scope,
    ) => sql`(select count(distinct c.device_id) from command c join device_task k on k.id = c.task_id
        join department cd on cd.id = c.department_id
      where k.origin_kind = ${deviceSetting.name} and k.origin_id = t.id and c.state = 'done' and ${reaches(scope, sql`cd.path`)})`,
  },
  filters: place.filters,
  path: place.path,
  key: ['departmentId', 'name'],
  constraints: { device_setting_name: { ...commonErrors.alreadyExists, field: 'name' } },
})

const outcome = sql`case c.state when 'done' then 'success' when 'queued' then 'waiting' when 'sent' then 'waiting'
  when 'acknowledged' then 'waiting' else 'failed' end`

const historyTable = bindTable(settingHistory, {
  name: 'setting_change',
  joins: sql`${place.joins} join command c on c.id = t.command_id join device_task k on k.id = c.task_id
    left join sys_user creator on creator.id = k.creator_id left join device_setting named on named.id = t.setting_id`,
  columns: {
    settingName: sql`named.name`,
    createTime: sql`c.create_time`,
    creatorName: sql`creator.real_name`,
    sn: sql`c.sn`,
    deviceId: sql`c.device_id`,
    version: sql`k.origin_version`,
    result: outcome,
  },
  filters: { result: (results: readonly string[]) => sql<SqlBool>`${outcome} = any(${results})` },
  path: place.path,
})

export const mountSettings = (kit: Kit, tasks: TaskService, { refuseAddress }: Pick<OwnChecks, 'refuseAddress'>) => {
  const lock = ({ db, scope }: Call, id: number) =>
    sql`select 1 from device_setting where id = ${id} for update`
      .execute(db)
      .then(() => findRow(db, settingTable, scope, id))

  const saveItems = async (call: Call<{ id: number; items: SettingItems }>) => {
    const { db, actor, input } = call
    const setting = await lock(call, input.id)
    await refuseAddress(input.items.serverUrl)
    const before = await findItems(db, setting.id, setting.version)
    const version = await addVersion(db, setting.id, input.items, actor.id)
    call.note({ description: `${setting.name} ${version}`, before: { items: before }, after: { items: input.items } })
    return { version }
  }

  const rollBack = async (call: Call<{ id: number; version: number }>) => {
    const { db, actor, input } = call
    const setting = await lock(call, input.id)
    const items = await findItems(db, setting.id, input.version)
    if (!items) throw new AppError({ ...commonErrors.wrongFormat, field: 'version' }, { field: 'version' })
    await refuseAddress(items.serverUrl)
    const version = await addVersion(db, setting.id, items, actor.id)
    call.note({ description: `${setting.name} ${version}`, after: { from: input.version } })
    return { version }
  }

  /** The newest version, as a task of its own. */
  const push = async (call: Call<{ id: number } & TargetInput>) => {
    const { db, input } = call
    const setting = await lock(call, input.id)
    const items = await findItems(db, setting.id, setting.version)
    if (!items) throw new AppError({ ...commonErrors.missingParameter, field: 'items' }, { field: 'items' })
    const { id: _id, ...devices } = input
    const made = await tasks.issue(call, {
      command: 'configure',
      args: { version: setting.version, items: items as CommandArgs<'configure'>['items'] },
      devices,
      under: setting.departmentId,
      origin: { kind: deviceSetting.name, id: setting.id, version: setting.version },
      name: setting.name,
    })
    for (const { id } of made.tasks ?? [made]) await recordChanges(db, setting.id, id, items)
    return made
  }

  mount(kit, settingTable, {
    list: byDefault,
    create: byDefault,
    update: byDefault,
    remove: byDefault,
    actions: { saveItems, rollBack },
  })
  mount(kit, historyTable, { list: byDefault, export: byDefault })

  kit.guarded(pushSetting, 'deviceSetting', push)
  kit.guarded(settingDetail, 'deviceSetting', async ({ db, scope, input }) => {
    const { id, name, deviceType, version } = await findRow(db, settingTable, scope, input.id)
    const [versions, devices] = await Promise.all([findVersions(db, id), findApplied(db, scope, id)])
    const items = versions.find((each) => each.version === version)?.items ?? {}
    return { id, name, deviceType, version, items, versions, devices }
  })
}
