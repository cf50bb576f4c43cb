import {
  AppError,
  commonErrors,
  organisationType,
  type PathStep,
  type SessionUser,
  userType,
} from '@campanile/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import { passwordAgeDays } from './account.ts'
import { photoAddress } from './profile.store.ts'

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

/** Whether one of somebody's roles reaches the department with this path; names above that are not theirs to see. */
const reachedBy = (userId: RawBuilder<unknown>, path: RawBuilder<unknown>) =>
  sql`exists (select from user_role ur join role_department rd on rd.role_id = ur.role_id
    join department r on r.id = rd.department_id where ur.user_id = ${userId} and r.path @> ${path})`

/** The person as the console shows them, with the organisation they have entered. */
export const readSessionUser = async (
  db: Db,
  userId: number,
  operatingId: number | null,
  { now, maxAgeDays }: { readonly now: Date; readonly maxAgeDays: number },
): Promise<SessionUser> => {
  const found = await sql<UserRow>`
    select u.id as uid, u.username, u.real_name as "realName", ${photoAddress}::text || u.photo as photo, u.type, u.mobile, u.enable_2fa as "enable2fa",
      u.password_changed_at as "passwordChangedAt",
      d.id as "departmentId", d.name as "departmentName", d.type as "departmentType", case when ${reachedBy(sql`u.id`, sql`parent.path`)} then parent.name end as parent,
      d.area_name as "areaName", d.large_screen_title as "largeScreenTitle",
      (select json_build_object('departmentId', o.id, 'departmentName', o.name, 'departmentType', o.type) from department o
        where o.id = ${operatingId}) as operating
    from sys_user u join department d on d.id = u.department_id left join department parent on parent.id = d.parent_id
    where u.id = ${userId}`.execute(db)
  const row = found.rows[0]
  if (!row) throw new AppError(commonErrors.sessionEnded)
  const { passwordChangedAt, operating, ...user } = row
  const passwordDaysLeft = Math.max(0, maxAgeDays - passwordAgeDays(passwordChangedAt, now))
  return {
    ...user,
    operating: operating && { ...operating, path: await readPath(db, operating.departmentId, user) },
    isExpired: passwordDaysLeft === 0,
    time: now.toISOString(),
    passwordDaysLeft,
    enableDeviceActiveStats: !schools.includes(user.departmentType),
  }
}

/** From one's own department down to the one entered, by the steps that are one's own or within reach. */
const readPath = async (
  db: Db,
  departmentId: number,
  { uid, type, departmentId: ownId }: Pick<SessionUser, 'uid' | 'type' | 'departmentId'>,
): Promise<PathStep[]> => {
  const found = await sql<PathStep>`
    select a.id, a.name from department at join department a on a.path @> at.path
    where at.id = ${departmentId} and (a.id = at.id or exists (
      select from department own where own.id = ${ownId} and a.path <@ own.path
        and (a.id = own.id or ${type === userType.super} or ${reachedBy(sql`${uid}`, sql`a.path`)})))
    order by nlevel(a.path)`.execute(db)
  return found.rows
}
