import { userType } from '@campanile/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'

/** Both halves of a role: what it allows and the subtrees it allows it in. */
export interface RoleReach {
  readonly id: number
  readonly preset: string | null
  /** Where the role is kept; who sees that department sees the role. */
  readonly home: string
  readonly permissions: string[]
  readonly paths: string[]
}

export const findRoles = async (db: Db, ids: readonly number[]): Promise<RoleReach[]> => {
  const { rows } = await sql<RoleReach>`select r.id, r.preset, home.path::text as home,
      array(select distinct m.perms from role_menu rm join menu m on m.id = rm.menu_id
        where rm.role_id = r.id and m.perms is not null) as permissions,
      array(select d.path::text from role_department rd join department d on d.id = rd.department_id
        where rd.role_id = r.id) as paths
    from sys_role r join department home on home.id = r.department_id where r.id = any(${ids})`.execute(db)
  return rows
}

/** The halves as the form shows them. */
export const findHalves = async (db: Db, id: number): Promise<{ menuIds: number[]; departmentIds: number[] }> => {
  const { rows } = await sql<{ menuIds: number[]; departmentIds: number[] }>`select
      array(select menu_id from role_menu where role_id = ${id} order by menu_id) as "menuIds",
      array(select department_id from role_department where role_id = ${id} order by department_id) as "departmentIds"`.execute(
    db,
  )
  return rows[0] ?? { menuIds: [], departmentIds: [] }
}

export const findCreator = async (db: Db, id: number): Promise<number | null | undefined> => {
  const { rows } = await sql<{ creator: number | null }>`select creator_id as creator from sys_role
    where id = ${id} for update`.execute(db)
  return rows[0]?.creator
}

export const replaceMenus = async (db: Db, id: number, menuIds: readonly number[]) => {
  await sql`delete from role_menu where role_id = ${id} and menu_id <> all(${menuIds})`.execute(db)
  await sql`insert into role_menu (role_id, menu_id) select ${id}, unnest(${menuIds}::bigint[])
    on conflict do nothing`.execute(db)
}

export const replaceDepartments = async (db: Db, id: number, departmentIds: readonly number[]) => {
  await sql`delete from role_department where role_id = ${id} and department_id <> all(${departmentIds})`.execute(db)
  await sql`insert into role_department (role_id, department_id) select ${id}, unnest(${departmentIds}::bigint[])
    on conflict do nothing`.execute(db)
}

export const holdersOf = async (db: Db, id: number): Promise<number[]> => {
  const { rows } = await sql<{
    userId: number
  }>`select user_id as "userId" from user_role where role_id = ${id}`.execute(db)
  return rows.map((row) => row.userId)
}

/**
 * People one of whose roles grants this permission on a department, and the super administrator of its enterprise: who
 * must hear of what happens there. The installation's own people would hear of everything, so do of nothing.
 */
export const holdersAt = async (db: Db, permission: string, path: string): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`select u.id from sys_user u
      join department home on home.id = u.department_id
    where not u.disabled and nlevel(home.path) > 1 and (u.type = ${userType.super} and home.path @> ${path}::ltree
      or exists (select from user_role ur join role_menu rm on rm.role_id = ur.role_id
          join menu m on m.id = rm.menu_id and m.perms = ${permission}
          join role_department rd on rd.role_id = ur.role_id join department d on d.id = rd.department_id
        where ur.user_id = u.id and d.path @> ${path}::ltree))`.execute(db)
  return rows.map((row) => row.id)
}

export interface GrantedMenu {
  readonly id: number
  readonly perms: string | null
  readonly platform: boolean
}

export const findMenus = async (db: Db, ids: readonly number[]): Promise<GrantedMenu[]> => {
  const { rows } = await sql<GrantedMenu>`select id, perms, platform from menu where id = any(${ids})`.execute(db)
  return rows
}

export const findPaths = async (db: Db, ids: readonly number[]): Promise<{ id: number; path: string }[]> => {
  const { rows } = await sql<{ id: number; path: string }>`select id, path::text as path from department
    where id = any(${ids})`.execute(db)
  return rows
}

/**
 * A subtree has left the organisations whose roles it was under. Those roles no longer reach it, and its people no
 * longer hold them; otherwise a move would carry one enterprise's rights into another.
 */
export const detachRoles = async (db: Db, { from, to }: { from: string; to: string }) => {
  const left = sql`select r.id from sys_role r join department home on home.id = r.department_id
    where home.path @> ${from}::ltree and not home.path @> ${to}::ltree`
  const moved = sql`select id from department where path <@ ${to}::ltree`
  await sql`delete from role_department where role_id in (${left}) and department_id in (${moved})`.execute(db)
  await sql`delete from user_role where role_id in (${left}) and user_id in
    (select u.id from sys_user u where u.department_id in (${moved}))`.execute(db)
}

/** Which of these roles somebody made themselves. */
export const ownAmong = async (db: Db, actorId: number, ids: readonly number[]): Promise<Set<number>> => {
  const { rows } = await sql<{ id: number }>`select id from sys_role
    where id = any(${ids}) and creator_id = ${actorId}`.execute(db)
  return new Set(rows.map((row) => row.id))
}

/** A role put together by the installation itself: permissions by their strings, on subtrees. */
export const foundRole = async (
  db: Db,
  role: {
    name: string
    remark: string
    departmentId: number
    creatorId: number
    permissions: readonly string[]
    on: readonly number[]
  },
): Promise<number> => {
  const { rows } = await sql<{ id: number }>`insert into sys_role (name, remark, department_id, creator_id)
    values (${role.name}, ${role.remark}, ${role.departmentId}, ${role.creatorId}) returning id`.execute(db)
  const { id } = rows[0] as { id: number }
  await sql`insert into role_menu (role_id, menu_id) select ${id}, m.id from menu m
    where m.perms = any(${role.permissions})`.execute(db)
  await replaceDepartments(db, id, role.on)
  return id
}
