import { type HomeAnnouncement, organisationType, type PathStep, userType } from '@campanile/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../kit/actor.ts'
import { reaches } from '../../kit/scope.ts'
import type { Db } from '../../platform/db.ts'

const one = async <T>(db: Db, query: RawBuilder<T>): Promise<T> => {
  const [row] = (await query.execute(db)).rows
  if (row === undefined) throw new Error('a figure without a row')
  return row
}

/** At most this many are worth a home screen; the list holds the rest. */
const announcementLimit = 10

export const countOrganisations = async (db: Db, scope: Scope): Promise<number> =>
  (await one(db, sql<{ n: number }>`select count(*) as n from department d where ${reaches(scope, sql`d.path`)}`)).n

/** The same words as the list of users: a disabled account is disabled, whatever else it is. */
export const countAdministrators = (db: Db, scope: Scope): Promise<{ all: number; locked: number }> =>
  one(
    db,
    sql`select count(*) as all, count(*) filter (where u.locked_until > now() and not u.disabled) as locked
      from sys_user u join department d on d.id = u.department_id where ${reaches(scope, sql`d.path`)}`,
  )

export const countExports = async (db: Db, scope: Scope): Promise<number> =>
  (
    await one(
      db,
      sql<{ n: number }>`select count(*) as n from export_file
        where creator_id = ${scope.actorId} and type = 'export' and state = 'inProgress'`,
    )
  ).n

/** What is announced to a department or to one above it, and still holds; who is above one's reach is not named. */
export const findAnnouncements = async (db: Db, scope: Scope, departmentId: number): Promise<HomeAnnouncement[]> =>
  (
    await sql<HomeAnnouncement>`select a.id, a.title, a.text, a.level, a.pinned,
        case when above.id = here.id or ${reaches(scope, sql`above.path`)} then above.name end as "departmentName",
        a.valid_until as "validUntil", a.create_time as "createTime"
      from department here join department above on above.path @> here.path
        join announcement a on a.department_id = above.id
      where here.id = ${departmentId} and (a.valid_until is null or a.valid_until > now())
      order by a.pinned desc, a.level = 'important' desc, a.create_time desc, a.id desc
      limit ${announcementLimit}`.execute(db)
  ).rows

/** From the highest department the scope reaches down to this one; above it is nobody's business. */
export const findPath = async (db: Db, scope: Scope, departmentId: number): Promise<PathStep[]> =>
  (
    await sql<PathStep>`select above.id, above.name from department here join department above on above.path @> here.path
      where here.id = ${departmentId} and (above.id = here.id or ${reaches(scope, sql`above.path`)})
      order by nlevel(above.path)`.execute(db)
  ).rows

export interface Beginnings {
  /** Null for everybody but the account the installation was born with. */
  password: boolean | null
  organisation: boolean
  administrator: boolean
}

export const findBeginnings = (db: Db, scope: Scope): Promise<Beginnings> =>
  one(
    db,
    sql`select
      (select case when is_default and type = ${userType.super} then password_changed_at > create_time end
        from sys_user where id = ${scope.actorId}) as password,
      exists (select 1 from department
        where type in (${organisationType.enterprise}, ${organisationType.school})) as organisation,
      exists (select 1 from sys_user where not is_default) as administrator`,
  )
