import { AppError, gatewayErrors, organisationType, type PathStep, type SessionUser } from '@campanile/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import { passwordAgeDays } from './account.ts'

interface UserRow extends Omit<SessionUser, 'isExpired' | 'passwordDaysLeft' | 'enableDeviceActiveStats'> {
  readonly passwordChangedAt: string
}

const schools: readonly number[] = [
  organisationType.school,
  organisationType.section,
  organisationType.grade,
  organisationType.class,
  organisationType.administrativeClass,
  organisationType.graduatingClass,
]

/** The person as the console shows them, with the organisation they have entered. */
export const readSessionUser = async (
  db: Db,
  userId: number,
  operatingId: number | null,
  { now, maxAgeDays }: { readonly now: Date; readonly maxAgeDays: number },
): Promise<SessionUser> => {
  const found = await sql<UserRow>`
    select u.id as uid, u.username, u.real_name as "realName", u.photo, u.type, u.mobile, u.enable_2fa as "enable2fa",
      u.password_changed_at as "passwordChangedAt",
      d.id as "departmentId", d.name as "departmentName", d.type as "departmentType", parent.name as parent,
      d.area_name as "areaName", d.large_screen_title as "largeScreenTitle",
      (select json_build_object('departmentId', o.id, 'departmentName', o.name, 'departmentType', o.type) from department o
        where o.id = ${operatingId}) as operating
    from sys_user u join department d on d.id = u.department_id left join department parent on parent.id = d.parent_id
    where u.id = ${userId}`.execute(db)
  const row = found.rows[0]
  if (!row) throw new AppError(gatewayErrors.sessionEnded)
  const { passwordChangedAt, operating, ...user } = row
  const passwordDaysLeft = Math.max(0, maxAgeDays - passwordAgeDays(passwordChangedAt, now))
  return {
    ...user,
    operating: operating && { ...operating, path: await readPath(db, operating.departmentId, user.departmentId) },
    isExpired: passwordDaysLeft === 0,
    passwordDaysLeft,
    enableDeviceActiveStats: !schools.includes(user.departmentType),
  }
}

/** From one's own department (or, for what a role reaches elsewhere, from the top) down to the one entered. */
const readPath = async (db: Db, departmentId: number, ownId: number): Promise<PathStep[]> => {
  const found = await sql<PathStep>`
    select a.id, a.name from department at join department a on a.path @> at.path
    where at.id = ${departmentId} and (a.id = at.id or exists (
      select from department own where own.id = ${ownId} and a.path <@ own.path))
    order by nlevel(a.path)`.execute(db)
  return found.rows
}
