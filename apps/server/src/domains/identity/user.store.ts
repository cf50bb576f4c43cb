import { userType } from '@campanile/contract'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Scope } from '../../kit/actor.ts'
import { translated } from '../../kit/rows.ts'
import type { Db } from '../../platform/db.ts'
import { plannedOnce } from '../../platform/planned-once.ts'
import { isTold, userTable } from './user.table.ts'

/** What decides about a change of somebody, beside what the list shows. Locked until the change is done. */
export interface Standing {
  readonly isDefault: boolean
  readonly enable2fa: boolean
  readonly roleIds: number[]
  readonly ofRoot: boolean
}

export const lockStanding = async (db: Db, id: number): Promise<Standing | undefined> => {
  const { rows } = await sql<Standing>`select u.is_default as "isDefault", u.enable_2fa as "enable2fa",
      array(select role_id from user_role where user_id = u.id) as "roleIds",
      (select parent_id is null from department where id = u.department_id) as "ofRoot"
    from sys_user u where u.id = ${id} for update`.execute(db)
  return rows[0]
}

/** Answers whether anything changed. */
export const replaceRoles = async (db: Db, userId: number, roleIds: readonly number[]): Promise<boolean> => {
  const gone = await sql`delete from user_role where user_id = ${userId} and role_id <> all(${roleIds})`.execute(db)
  const added = await translated(userTable, () =>
    sql`insert into user_role (user_id, role_id) select ${userId}, unnest(${roleIds}::bigint[])
      on conflict do nothing`.execute(db),
  )
  return (gone.numAffectedRows ?? 0n) + (added.numAffectedRows ?? 0n) > 0n
}

export const setDisabled = (db: Db, id: number, disabled: boolean) =>
  sql`update sys_user set disabled = ${disabled} where id = ${id}`.execute(db)

export const dropTwoFactor = async (db: Db, id: number) => {
  await sql`update sys_user set enable_2fa = false, two_factor_wanted = false, totp_secret = null, totp_last_step = null
    where id = ${id}`.execute(db)
  await sql`delete from recovery_code where user_id = ${id}`.execute(db)
}

/** False when it is on already. */
export const wantTwoFactor = async (db: Db, id: number): Promise<boolean> => {
  const wanted = await sql`update sys_user set two_factor_wanted = true where id = ${id} and not enable_2fa
    returning 1`.execute(db)
  return wanted.rows.length === 1
}

export const hasTwoFactor = async (db: Db, id: number): Promise<boolean> => {
  const { rows } = await sql<{ on: boolean }>`select enable_2fa as on from sys_user where id = ${id}`.execute(db)
  return rows[0]?.on ?? false
}

export interface Administrator {
  id: number
  username: string
  realName: string
  type: number
}

/** The people of one department itself, not of what lies below it. */
export const administratorsOf = async (db: Db, departmentId: number): Promise<Administrator[]> => {
  const { rows } = await sql<Administrator>`select id, username, real_name as "realName", type from sys_user
    where department_id = ${departmentId} order by type, username limit 200`.execute(db)
  return rows
}

/** Who watches over a department beside one of its people: super administrator, safety officer, and whoever holds their shipped roles. */
export const overseersOf = async (db: Db, departmentId: number, exceptId: number): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`select u.id from sys_user u
    where u.department_id = ${departmentId} and u.id <> ${exceptId} and not u.disabled and (u.type = any(${[userType.super, userType.safetyOfficer]})
      or exists (select from user_role ur join sys_role r on r.id = ur.role_id
        where ur.user_id = u.id and r.preset in ('administrator', 'safetyOfficer')))
    order by u.id`.execute(db)
  return rows.map(({ id }) => id)
}

export interface RoleName {
  userId: number
  name: string
  preset: string | null
}

const rolesWhere = async (db: Db, where: RawBuilder<SqlBool>): Promise<RoleName[]> => {
  const { rows } = await sql<RoleName>`${plannedOnce} select ur.user_id as "userId", r.name, r.preset
    from user_role ur join sys_role r on r.id = ur.role_id join department home on home.id = r.department_id
    where ${where} order by r.id`.execute(db)
  return rows
}
export const rolesOf = (db: Db, userId: number) => rolesWhere(db, sql`ur.user_id = ${userId}`)
/** Of a role kept above the caller's reach the name is not theirs to see; shipped ones are called the same everywhere. */
export const rolesOfUsers = (db: Db, scope: Scope, userIds: readonly number[]) =>
  rolesWhere(db, sql`ur.user_id = any(${userIds}) and ${isTold(scope)}`)
