import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import { usernameKey } from './account.ts'

export interface Enrolment {
  readonly username: string
  readonly realName: string
  readonly departmentId: number
  readonly type: number
  readonly passwordHash: string
  readonly isDefault?: boolean
  /** Shipped roles of the department, by their preset. */
  readonly presets?: readonly string[]
  readonly roleIds?: readonly number[]
  readonly creatorId?: number
  readonly mobile?: string
  readonly sex?: number
  readonly whitelistIp?: readonly string[]
  readonly validStart?: string
  readonly validEnd?: string
  readonly disabled?: boolean
  readonly lockedUntil?: Date
}

/** An account made by the installation itself on the first start: no caller, so no caller's rights. */
export const enrol = async (db: Db, user: Enrolment): Promise<number> => {
  const { rows } = await sql<{
    id: number
  }>`insert into sys_user (username, username_key, real_name, department_id, type,
      password_hash, is_default, creator_id, mobile, sex, whitelist_ip, valid_start, valid_end, disabled, locked_until)
    values (${user.username}, ${usernameKey(user.username)}, ${user.realName}, ${user.departmentId}, ${user.type},
      ${user.passwordHash}, ${user.isDefault ?? false}, ${user.creatorId ?? null}, ${user.mobile ?? null}, ${user.sex ?? 0},
      ${user.whitelistIp ?? []}, ${user.validStart ?? null}, ${user.validEnd ?? null}, ${user.disabled ?? false},
      ${user.lockedUntil ?? null}) returning id`.execute(db)
  const { id } = rows[0] as { id: number }
  await sql`insert into user_role (user_id, role_id) select ${id}, r.id from sys_role r
    where r.id = any(${user.roleIds ?? []}::bigint[])
      or (r.department_id = ${user.departmentId} and r.preset = any(${user.presets ?? []}::text[]))`.execute(db)
  return id
}

export const hasDefaultAdministrator = async (db: Db): Promise<boolean> => {
  const { rows } = await sql`select from sys_user where is_default limit 1`.execute(db)
  return rows.length > 0
}
