import {
  AppError,
  commonErrors,
  type Draft,
  identityErrors,
  type ListQuery,
  type Patch,
  type Row,
  type role,
} from '@campanile/contract'
import { sql } from 'kysely'
import { type Actor, covers } from '../../kit/actor.ts'
import type { Call } from '../../kit/call.ts'
import { findRow, insertRow, listRows, removeRows, updateRow } from '../../kit/rows.ts'
import { reaches } from '../../kit/scope.ts'
import type { Db } from '../../platform/db.ts'
import type { Services } from '../../services.ts'
import {
  findCreator,
  findHalves,
  findMenus,
  findPaths,
  findRoles,
  holdersOf,
  ownAmong,
  replaceDepartments,
  replaceMenus,
} from './role.store.ts'
import { roleTable } from './role.table.ts'
import { holdsOn, mayGive } from './role-authority.ts'
import { presetName } from './role-presets.ts'
import { endSessionsOf } from './session.store.ts'

type RoleRow = Row<typeof role>

const isUnder = (path: string, ancestor: string) => path !== ancestor && path.startsWith(`${ancestor}.`)

export const createRoles = ({ clock }: Pick<Services, 'clock'>) => {
  /** What may be put into a role: existing entries, on departments in reach, each pair held by the caller. */
  const mayPutTogether = async (call: Call, menuIds: readonly number[], departmentIds: readonly number[]) => {
    const { db, actor, scope } = call
    const [menus, places] = await Promise.all([findMenus(db, menuIds), findPaths(db, departmentIds)])
    if (menus.length < new Set(menuIds).size) throw new AppError({ ...commonErrors.resourceNotFound, field: 'menuIds' })
    if (places.length < new Set(departmentIds).size || places.some((place) => !covers(scope, place.path)))
      throw new AppError({ ...identityErrors.outsideEnterprise, field: 'departmentIds' })
    for (const { perms, platform } of menus) {
      // An entry of the installation itself means nothing below its root, and must not look as if it did.
      const refused =
        perms && places.find(({ path }) => !holdsOn(actor, perms, path) || (platform && path.includes('.')))
      if (refused)
        throw new AppError(
          { ...commonErrors.noPermission, field: 'menuIds' },
          { permission: perms, departmentId: refused.id },
        )
    }
    // Only the roots are kept: a department below another adds nothing.
    return places.filter((place) => !places.some((other) => isUnder(place.path, other.path))).map((place) => place.id)
  }

  /** What a role allows somewhere concerns those who live there. */
  const touchPlaces = async ({ db, touched }: Call, name: string, departmentIds: readonly number[]) =>
    touched((await findPaths(db, departmentIds)).map(({ path }) => ({ path, name })))

  /** A role is changed by whoever made it; everybody else looks at it (behaviour: roles.own). */
  const mustBeOwn = async (db: Db, actor: Actor, id: number) => {
    if ((await findCreator(db, id)) !== actor.id) throw new AppError(identityErrors.roleNotOwn)
  }

  const shown = async (call: Call, rows: readonly RoleRow[]): Promise<RoleRow[]> => {
    const ids = rows.map((row) => row.id)
    const own = await ownAmong(call.db, call.actor.id, ids)
    return rows.map((row) => ({
      ...row,
      own: own.has(row.id),
      name: row.preset ? presetName(row.preset, call.caller.language) : row.name,
    }))
  }

  const list = async (call: Call<ListQuery>) => {
    const page = await listRows(call.db, roleTable, call.scope, call.input)
    return { ...page, rows: await shown(call, page.rows) }
  }

  const detail = async (call: Call<{ id: number }>) => {
    const [row] = await shown(call, [await findRow(call.db, roleTable, call.scope, call.input.id)])
    if (!row) throw new AppError(commonErrors.resourceNotFound)
    const { id, name, remark, own } = row
    const halves = await findHalves(call.db, id)
    const places = await findPaths(call.db, halves.departmentIds)
    const reached = new Set(places.flatMap((place) => (covers(call.scope, place.path) ? place.id : [])))
    return { id, name, remark, own, ...halves, departmentIds: halves.departmentIds.filter((each) => reached.has(each)) }
  }

  const create = async (call: Call<Draft<typeof role>>) => {
    const { db, scope, input } = call
    const departmentIds = await mayPutTogether(call, input.menuIds, input.departmentIds)
    const id = await insertRow(db, roleTable, scope, input, { departmentId: scope.departmentId })
    await replaceMenus(db, id, input.menuIds)
    await replaceDepartments(db, id, departmentIds)
    await touchPlaces(call, input.name, departmentIds)
    return { id }
  }

  const update = async (call: Call<Patch<typeof role>>) => {
    const { db, actor, scope, input } = call
    await findRow(db, roleTable, scope, input.id)
    await mustBeOwn(db, actor, input.id)
    await updateRow(call, roleTable, input)
    const { name } = await findRow(db, roleTable, call.scope, input.id)
    await touchPlaces(call, name, (await findHalves(db, input.id)).departmentIds)
    if (input.menuIds || input.departmentIds) {
      const stored = await findHalves(db, input.id)
      const menuIds = input.menuIds ?? stored.menuIds
      const departmentIds = await mayPutTogether(call, menuIds, input.departmentIds ?? stored.departmentIds)
      call.note({ before: stored, after: { ...input, menuIds, departmentIds } })
      await replaceMenus(db, input.id, menuIds)
      await replaceDepartments(db, input.id, departmentIds)
      await touchPlaces(call, name, departmentIds)
      await endSessionsOf(db, await holdersOf(db, input.id), clock.now())
    }
    return {}
  }

  const remove = async (call: Call<number[]>) => {
    const { db, actor, scope, input: ids } = call
    for (const id of ids) {
      const { name } = await findRow(db, roleTable, scope, id)
      await mustBeOwn(db, actor, id)
      await touchPlaces(call, name, (await findHalves(db, id)).departmentIds)
    }
    const names = await removeRows(db, roleTable, scope, ids)
    call.note({ description: names.join(', ') })
    return { removed: names.length }
  }

  /** Roles the caller may give to somebody: in reach, and granting no more than the caller holds. */
  const assignable = async (call: Call<{ keyword?: string | undefined }>) => {
    const { db, actor, scope, caller, input } = call
    const { rows } = await sql<{ id: number; name: string; preset: string | null; departmentName: string }>`
      select r.id, r.name, r.preset, d.name as "departmentName"
      from sys_role r join department d on d.id = r.department_id where ${reaches(scope, sql`d.path`)} order by d.path, r.id`.execute(
      db,
    )
    const roles = new Map(
      (
        await findRoles(
          db,
          rows.map((row) => row.id),
        )
      ).map((found) => [found.id, found]),
    )
    const keyword = input.keyword?.trim().toLowerCase() ?? ''
    return rows
      .filter(({ id }) => {
        const found = roles.get(id)
        return found && mayGive(actor, found)
      })
      .map(({ preset, ...row }) => ({ ...row, name: preset ? presetName(preset, caller.language) : row.name }))
      .filter((row) => `${row.name} ${row.departmentName}`.toLowerCase().includes(keyword))
      .slice(0, 200)
  }

  return { list, detail, create, update, remove, assignable }
}
