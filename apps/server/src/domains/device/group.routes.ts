import {
  type ActionCall,
  type AnswerOf,
  AppError,
  commonErrors,
  type Draft,
  deviceErrors,
  deviceGroup,
  groupDetail,
  groupDevice,
  type ListQuery,
  type Patch,
} from '@campanile/contract'
import { type SqlBool, sql } from 'kysely'
import { lockRows } from '../../kit/action.ts'
import type { Scope } from '../../kit/actor.ts'
import type { Call } from '../../kit/call.ts'
import { ofDepartment } from '../../kit/department.ts'
import { byDefault, mount } from '../../kit/mount.ts'
import type { Kit } from '../../kit/route.ts'
import { findRow, insertRow, listRows, removeRows, updateRow } from '../../kit/rows.ts'
import { inScope, reaches } from '../../kit/scope.ts'
import { bindTable, source } from '../../kit/table.ts'
import { touchRows } from '../../kit/touched.ts'
import type { Db } from '../../platform/db.ts'
import { toJsonb } from '../../platform/jsonb.ts'
import { findDeviceTypes, findStranger, leaveForeignGroups, lockBySns } from './device.store.ts'
import { deviceTable } from './device.table.ts'
import { dynamicFilter, memberOf } from './group-filter.ts'
import { countedAs, isConnected } from './offline.ts'

const place = ofDepartment()

const groupTable = bindTable(deviceGroup, {
  name: 'device_group',
  joins: place.joins,
  columns: {
    ...place.columns,
    groupNo: sql`t.id`,
    // A filter has to be asked itself; where nobody does, its figure is left open.
    deviceCount: (scope) =>
      sql`case when t.kind = 'manual' then (select count(*) from device m join department md on md.id = m.department_id
        where m.group_id = t.id and ${reaches(scope, sql`md.path`)}) end`,
  },
  filters: place.filters,
  path: place.path,
  key: ['departmentId', 'name'],
  constraints: { device_group_name: deviceErrors.groupNameExists },
})

/** How many a saved filter matches is asked of the registry itself: for the few dynamic groups of one page. */
const list = async ({ db, scope, input }: Call<ListQuery>) => {
  const page = await listRows(db, groupTable, scope, input)
  const rows = await Promise.all(
    page.rows.map(async (row) =>
      row.kind === 'dynamic' ? { ...row, deviceCount: await count(db, scope, row.id) } : row,
    ),
  )
  return { rows, total: page.total }
}

const count = async (db: Db, scope: Scope, groupId: number): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select count(*) as n from ${source(deviceTable)}
    where ${inScope(deviceTable, scope)} and ${await memberOf(db, deviceTable, scope, [groupId])}`.execute(db)
  return rows[0]?.n ?? 0
}

const detail = async ({ db, scope, input }: Call<{ id: number }>) => {
  const found = await findRow(db, groupTable, scope, input.id)
  const row = found.kind === 'dynamic' ? { ...found, deviceCount: await count(db, scope, found.id) } : found
  return { row, filter: await filterOf(db, row.id) }
}

const filterOf = async (db: Db, id: number) => {
  const { rows } = await sql<
    Pick<AnswerOf<typeof groupDetail>, 'filter'>
  >`select filter from device_group where id = ${id}`.execute(db)
  return rows[0]?.filter ?? null
}

const create = async ({ db, scope, input }: Call<Draft<typeof deviceGroup>>) => {
  if ((await findDeviceTypes(db, [input.deviceType])).size === 0) throw new AppError(deviceErrors.typeUnknown)
  return { id: await insertRow(db, groupTable, scope, input) }
}

/** Its devices stay with their enterprise when the group goes to another. */
const update = async (call: Call<Patch<typeof deviceGroup>>) => {
  const { db, input } = call
  await updateRow(call, groupTable, input)
  if (input.departmentId == null) return {}
  const { rows } = await sql<{
    path: string
  }>`select path::text from department where id = ${input.departmentId}`.execute(db)
  if (rows[0]) await leaveForeignGroups(db, rows[0].path)
  return {}
}

/** Only an empty one goes, so that nobody loses by a slip who belongs together. What a filter holds is nobody's work. */
const remove = async (call: Call<number[]>) => {
  const { db, scope, input: ids } = call
  await lockRows(db, groupTable, scope, ids)
  const { rows } = await sql`select 1 from device where group_id = any(${ids}) limit 1`.execute(db)
  if (rows.length > 0) throw new AppError(deviceErrors.groupInUse)
  const names = await removeRows(db, groupTable, scope, ids)
  call.note({ description: names.join(', ') })
  return { removed: names.length }
}

const groupFor = async (call: Call, id: number, kind: 'manual' | 'dynamic') => {
  const { db, scope } = call
  await sql`select 1 from device_group where id = ${id} for update`.execute(db)
  const group = await findRow(db, groupTable, scope, id).catch((error) => {
    throw error instanceof AppError ? new AppError(deviceErrors.groupNotFound, { id }) : error
  })
  if (group.kind !== kind) throw new AppError({ ...commonErrors.wrongFormat, field: 'groupId' }, { field: 'groupId' })
  await touchRows(call, groupTable, [id])
  return group
}

interface Members {
  groupId: number
  sns: string[]
}

/** All of them or none: the first serial that does not fit is named. */
const addDevices = async (call: Call<Members>) => {
  const { db, scope, input } = call
  const group = await groupFor(call, input.groupId, 'manual')
  const sns = [...new Set(input.sns)]
  const devices = new Map((await lockBySns(db, scope, sns)).map((each) => [each.sn, each]))
  for (const sn of sns) {
    const device = devices.get(sn)
    if (!device) throw new AppError(deviceErrors.notFound, { sn })
    if (device.deviceType !== group.deviceType) throw new AppError(deviceErrors.groupOneType, { sn })
    if (device.groupId !== null && device.groupId !== group.id)
      throw new AppError(deviceErrors.inAnotherGroup, { sn, group: device.groupName ?? '' })
  }
  const stranger = await findStranger(
    db,
    group.departmentId,
    [...devices.values()].map(({ id }) => id),
  )
  if (stranger !== undefined) throw new AppError(deviceErrors.ownedByAnother, { sn: stranger })
  await sql`update device set group_id = ${group.id}, group_time = now()
    where sn = any(${sns}) and group_id is null`.execute(db)
  call.note({ description: `${group.name}: ${sns.join(', ')}` })
  return { added: [...devices.values()].filter(({ groupId }) => groupId === null).length }
}

const removeDevices = async (call: Call<Members>) => {
  const { db, scope, input } = call
  const group = await groupFor(call, input.groupId, 'manual')
  const devices = await lockBySns(db, scope, input.sns)
  const members = devices.filter(({ groupId }) => groupId === group.id)
  await sql`update device set group_id = null, group_time = null
    where id = any(${members.map(({ id }) => id)})`.execute(db)
  call.note({ description: `${group.name}: ${members.map(({ sn }) => sn).join(', ')}` })
  return { removed: members.length }
}

type Saved = ActionCall<typeof deviceGroup, 'saveFilter'>

/** Group and filter come to be together, so that nobody ever meets a group that takes everything for a moment. */
const saveFilter = async (call: Call<Saved>) => {
  const { db, scope, input } = call
  const { filter, description, ...rest } = input
  const kept = dynamicFilter(filter)
  const { id } = await create({ ...call, input: { ...rest, kind: 'dynamic', description: description || null } })
  await touchRows(call, groupTable, [id])
  await sql`update device_group set filter = ${toJsonb(kept)}::jsonb where id = ${id}`.execute(db)
  call.note({ type: 'create', description: input.name, after: { ...rest, filter: kept } })
  return { id, deviceCount: await count(db, scope, id) }
}

const setFilter = async (call: Call<{ groupId: number; filter: Record<string, unknown> }>) => {
  const { db, input } = call
  const group = await groupFor(call, input.groupId, 'dynamic')
  const filter = dynamicFilter(input.filter)
  const before = await filterOf(db, group.id)
  await sql`update device_group set filter = ${toJsonb(filter)}::jsonb where id = ${group.id}`.execute(db)
  call.note({ description: group.name, before: { filter: before }, after: { filter } })
  return {}
}

const membersTable = bindTable(groupDevice, {
  name: 'device',
  joins: deviceTable.joins,
  columns: {
    ...place.columns,
    iotStatus: sql`coalesce(s.iot_status, 'offline')`,
    joinTime: sql`case when t.group_id is not null then t.group_time end`,
  },
  filters: {
    iotStatus: isConnected,
    groupId: () => sql<SqlBool>`true`,
  },
  countedAs,
  // Without a group nobody is asked for: who may see groups need not see the whole registry.
  lookedUp: (db, scope, { groupId }) =>
    Array.isArray(groupId) ? memberOf(db, deviceTable, scope, groupId) : Promise.resolve(sql<SqlBool>`false`),
  path: place.path,
})

export const mountGroups = (kit: Kit) => {
  mount(kit, membersTable, { list: byDefault })
  kit.guarded(groupDetail, 'deviceGroup', detail)
  mount(kit, groupTable, {
    list,
    create,
    update,
    remove,
    export: byDefault,
    actions: { addDevices, removeDevices, saveFilter, setFilter },
  })
}
