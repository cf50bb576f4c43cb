import { readPhoto } from '@campanile/contract'
import { sql } from 'kysely'
import { translated } from '../../kit/rows.ts'
import { reaches } from '../../kit/scope.ts'
import type { Db } from '../../platform/db.ts'
import { userTable } from './user.table.ts'

export interface ProfileRow {
  readonly sex: 0 | 1 | 2
  /** The number is theirs: a code sent to it has come back. */
  readonly mobileConfirmed: boolean
  readonly validStart: string | null
  readonly validEnd: string | null
  readonly lastLogin: string | null
  readonly lastLoginIp: string | null
  readonly passwordChangedAt: string
  readonly recoveryCodesLeft: number
  readonly twoFactorAllowed: boolean
}

export const findProfile = async (db: Db, userId: number): Promise<ProfileRow> => {
  const found = await sql<ProfileRow>`
    select u.sex, coalesce(u.mobile = u.confirmed_mobile, false) as "mobileConfirmed", u.valid_start as "validStart", u.valid_end as "validEnd", u.last_login as "lastLogin", u.last_login_ip as "lastLoginIp",
      u.password_changed_at as "passwordChangedAt",
      (select count(*)::int from recovery_code c where c.user_id = u.id) as "recoveryCodesLeft",
      not (u.type = 0 and d.parent_id is null) as "twoFactorAllowed"
    from sys_user u join department d on d.id = u.department_id where u.id = ${userId}`.execute(db)
  return found.rows[0] as ProfileRow
}

export interface Details {
  readonly realName: string
  readonly sex: 0 | 1 | 2
}

export const findDetails = async (db: Db, userId: number): Promise<Details> => {
  const found = await sql<Details>`select real_name as "realName", sex from sys_user where id = ${userId}
    for update`.execute(db)
  return found.rows[0] as Details
}

export const storeDetails = async (db: Db, userId: number, details: Details): Promise<void> => {
  await sql`update sys_user set real_name = ${details.realName}, sex = ${details.sex}
    where id = ${userId}`.execute(db)
}

/** Confirmed by a code that came back. Answers the number it replaces; refused when it signs in somebody else. */
export const storeMobile = async (db: Db, userId: number, mobile: string | null): Promise<string | null> => {
  const stored = await translated(userTable, () =>
    sql<{ before: string | null }>`update sys_user u set mobile = ${mobile}, confirmed_mobile = ${mobile}
      from (select id, mobile from sys_user where id = ${userId} for update) before
      where u.id = before.id returning before.mobile as before`.execute(db),
  )
  return stored.rows[0]?.before ?? null
}

/** Where a photo is read, by the number of its file. */
export const photoAddress = readPhoto.path.replace(':id', '')

export const storePhoto = async (db: Db, userId: number, photo: number): Promise<void> => {
  await sql`update sys_user set photo = ${photo} where id = ${userId}`.execute(db)
}

/** One's own, and those of people in departments one of the caller's roles reaches. */
export const isPhotoVisible = async (
  db: Db,
  photo: number,
  userId: number,
  paths: readonly string[],
): Promise<boolean> => {
  const found = await sql`select from sys_user u join department d on d.id = u.department_id
    where u.photo = ${photo} and (u.id = ${userId} or ${reaches({ everything: false, paths }, sql`d.path`)})`.execute(
    db,
  )
  return found.rows.length > 0
}
