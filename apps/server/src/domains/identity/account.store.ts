import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Place } from '../../kit/actor.ts'
import type { Db } from '../../platform/db.ts'

/** Everything that decides whether somebody may come in. */
export interface Account {
  readonly id: number
  readonly username: string
  readonly type: number
  readonly passwordHash: string
  readonly disabled: boolean
  readonly whitelistIp: string[]
  readonly validStart: string | null
  readonly validEnd: string | null
  readonly lockedUntil: string | null
  readonly enable2fa: boolean
  readonly hasRole: boolean
  readonly department: Place & { readonly root: boolean }
}

const columns = sql`u.id, u.username, u.type, u.password_hash as "passwordHash", u.disabled,
  u.whitelist_ip as "whitelistIp", u.valid_start as "validStart", u.valid_end as "validEnd", u.locked_until as "lockedUntil",
  u.enable_2fa as "enable2fa", exists (select from user_role ur where ur.user_id = u.id) as "hasRole",
  json_build_object('id', d.id, 'name', d.name, 'type', d.type, 'path', d.path::text, 'root', d.parent_id is null) as department`

const findAccount = async (db: Db, where: RawBuilder<SqlBool>): Promise<Account | undefined> => {
  const found = await sql<Account>`select ${columns} from sys_user u join department d on d.id = u.department_id
    where ${where} limit 2`.execute(db)
  // Two people behind one description are nobody in particular.
  return found.rows.length === 1 ? found.rows[0] : undefined
}

export const findAccountById = (db: Db, id: number) => findAccount(db, sql`u.id = ${id}`)
export const findAccountByKey = (db: Db, key: string) => findAccount(db, sql`u.username_key = ${key}`)
export const findAccountByMobile = (db: Db, mobile: string) => findAccount(db, sql`u.mobile = ${mobile}`)

/** §9: locked after this many wrong passwords. */
export const mostAttempts = 5

/** A lock that has run out is where counting starts again. */
const counted = (lockUntil: Date) => sql`
  failed_count = case when locked_until is null then failed_count + 1 else 1 end,
  locked_until = case when locked_until is null and failed_count + 1 >= ${mostAttempts} then ${lockUntil}::timestamptz end`

/**
 * Counts the attempt before anything is verified: however many arrive at once, no more than five get a number.
 * `attempt` is null while the account is locked. The lock set by the fifth is taken back if that one proves right.
 */
export const reserveAttempt = async (
  db: Db,
  key: string,
  times: { readonly now: Date; readonly lockUntil: Date },
): Promise<{ account: Account; attempt: number | null } | undefined> => {
  const found = await sql<Account & { attempt: number | null }>`
    with reserved as (
      update sys_user set ${counted(times.lockUntil)}
      where username_key = ${key} and (locked_until is null or locked_until <= ${times.now})
      returning id, failed_count)
    select ${columns}, reserved.failed_count as attempt
    from sys_user u join department d on d.id = u.department_id left join reserved on reserved.id = u.id
    where u.username_key = ${key}`.execute(db)
  const row = found.rows[0]
  return row && { account: row, attempt: row.attempt }
}

/** A failure that is known only afterwards: a second step nobody completed. */
export const countFailure = async (
  db: Db,
  userId: number,
  times: { readonly now: Date; readonly lockUntil: Date },
): Promise<void> => {
  await sql`update sys_user set ${counted(times.lockUntil)}
    where id = ${userId} and (locked_until is null or locked_until <= ${times.now})`.execute(db)
}

/** The attempt was right but leads no further by itself: it does not count, and does not wash off earlier ones. */
export const giveAttemptBack = async (db: Db, userId: number, attempt: number): Promise<void> => {
  await sql`update sys_user set failed_count = greatest(failed_count - 1, 0),
    locked_until = case when ${attempt} >= ${mostAttempts} then null else locked_until end where id = ${userId}`.execute(
    db,
  )
}

export const clearAttempts = async (db: Db, userId: number): Promise<void> => {
  await sql`update sys_user set failed_count = 0, locked_until = null
    where id = ${userId} and (failed_count > 0 or locked_until is not null)`.execute(db)
}

export const recordSignIn = async (db: Db, userId: number, ip: string, now: Date): Promise<void> => {
  await sql`update sys_user set failed_count = 0, locked_until = null, last_login = ${now}, last_login_ip = ${ip}
    where id = ${userId}`.execute(db)
}

export const storePassword = async (db: Db, userId: number, passwordHash: string, now: Date): Promise<void> => {
  await sql`update sys_user set password_hash = ${passwordHash}, password_changed_at = ${now}, failed_count = 0,
    locked_until = null where id = ${userId}`.execute(db)
}
