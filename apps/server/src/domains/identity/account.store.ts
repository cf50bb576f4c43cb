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
  /** Not there yet, but asked for: set up at this sign-in. */
  readonly twoFactorWanted: boolean
  readonly hasRole: boolean
  readonly passwordChangedAt: string
  /** Wrong second-step codes since the last completed sign-in, and the last of them. */
  readonly wrongCodes: number
  readonly wrongCodeAt: string | null
  readonly wrongCodeIp: string | null
  readonly department: Place & { readonly root: boolean }
}

const columns = sql`u.id, u.username, u.type, u.password_hash as "passwordHash", u.disabled,
  u.whitelist_ip as "whitelistIp", u.valid_start as "validStart", u.valid_end as "validEnd", u.locked_until as "lockedUntil",
  u.enable_2fa as "enable2fa", u.two_factor_wanted as "twoFactorWanted",
  u.password_changed_at as "passwordChangedAt", u.wrong_codes as "wrongCodes",
  u.wrong_code_at as "wrongCodeAt", u.wrong_code_ip as "wrongCodeIp", exists (select from user_role ur where ur.user_id = u.id) as "hasRole",
  json_build_object('id', d.id, 'name', d.name, 'type', d.type, 'path', d.path::text, 'root', d.parent_id is null) as department`

/** The one account a description fits: conditions on the columns of `sys_user`. */
type Which = RawBuilder<SqlBool>
export const byId = (id: number): Which => sql`id = ${id}`
export const byUsernameKey = (key: string): Which => sql`username_key = ${key}`
/** A number signs in whoever confirmed it with a code; the database lets one account only do so. */
export const byMobile = (mobile: string): Which => sql`mobile = ${mobile} and confirmed_mobile = ${mobile}`

export const findAccount = async (db: Db, which: Which): Promise<Account | undefined> => {
  const found = await sql<Account>`select ${columns} from (select * from sys_user where ${which}) u
    join department d on d.id = u.department_id`.execute(db)
  return found.rows[0]
}

/** Locked after this many wrong passwords (behaviour: sign-in.lock). */
export const mostAttempts = 5

export interface Reserved {
  readonly account: Account
  /** The number of this attempt; null while the account is locked. */
  readonly attempt: number | null
  /** While it is locked: how many have asked since. */
  readonly checks: number
}

/**
 * Counts the attempt before anything is verified: however many arrive at once, no more than five get a number. A lock
 * that has run out is where counting starts again; the lock set by the fifth is taken back if that one proves right.
 * `isCheck`: while it is locked, this one asks to be told how long.
 */
export const reserveAttempt = async (
  db: Db,
  which: Which,
  times: { readonly now: Date; readonly lockUntil: Date },
  isCheck = false,
): Promise<Reserved | undefined> => {
  const isLocked = sql`coalesce(locked_until > ${times.now}, false)`
  const found = await sql<Account & Omit<Reserved, 'account'>>`
    with reserved as (
      update sys_user set
        failed_count = case when ${isLocked} then failed_count when locked_until is null then failed_count + 1 else 1 end,
        locked_until = case when ${isLocked} then locked_until
          when locked_until is null and failed_count + 1 >= ${mostAttempts} then ${times.lockUntil}::timestamptz end,
        checks_while_locked = case when not ${isLocked} then 0
          when ${isCheck} then least(checks_while_locked + 1, 1000) else checks_while_locked end
      where ${which} returning id, failed_count, checks_while_locked)
    select ${columns}, case when u.locked_until > ${times.now} then null else reserved.failed_count end as attempt,
      reserved.checks_while_locked as checks
    from reserved join sys_user u on u.id = reserved.id join department d on d.id = u.department_id`.execute(db)
  const [row] = found.rows
  return row && { account: row, attempt: row.attempt, checks: row.checks }
}

/** The attempt was right but leads no further by itself: it does not count, and does not wash off earlier ones. */
export const giveAttemptBack = async (db: Db, userId: number, attempt: number): Promise<void> => {
  await sql`update sys_user set failed_count = greatest(failed_count - 1, 0),
    locked_until = case when ${attempt} >= ${mostAttempts} then null else locked_until end where id = ${userId}`.execute(
    db,
  )
}

/** What was right while the account was locked is nothing that a guesser has learnt by guessing on. */
export const giveCheckBack = async (db: Db, userId: number): Promise<void> => {
  await sql`update sys_user set checks_while_locked = greatest(checks_while_locked - 1, 0) where id = ${userId}`.execute(
    db,
  )
}

/** Remembers a wrong code after a right password; answers how many there were since the last completed sign-in. */
export const recordWrongCode = async (db: Db, userId: number, ip: string, now: Date): Promise<number> => {
  const recorded = await sql<{ codes: number }>`update sys_user set wrong_codes = least(wrong_codes + 1, 10000),
    wrong_code_at = ${now}, wrong_code_ip = ${ip} where id = ${userId} returning wrong_codes as codes`.execute(db)
  return recorded.rows[0]?.codes ?? 1
}

export const lengthenLock = async (db: Db, userId: number, until: Date): Promise<void> => {
  await sql`update sys_user set locked_until = greatest(locked_until, ${until}) where id = ${userId}`.execute(db)
}

export const clearAttempts = async (db: Db, userId: number): Promise<void> => {
  await sql`update sys_user set failed_count = 0, locked_until = null
    where id = ${userId} and (failed_count > 0 or locked_until is not null)`.execute(db)
}

/** What was proven, as it was read: a password changed or a second factor switched on since then makes it worth nothing. */
const asProven = (account: Account) =>
  sql`id = ${account.id} and password_hash = ${account.passwordHash} and enable_2fa = ${account.enable2fa}`

/** Keeps the password and the second factor as they were proven until the transaction ends; false when they changed. */
export const lockProven = async (db: Db, account: Account): Promise<boolean> => {
  const locked = await sql`select from sys_user where ${asProven(account)} for share`.execute(db)
  return locked.rows.length === 1
}

/** False when what was proven has changed since. Only somebody who proved every secret there is starts counting anew. */
export const recordSignIn = async (
  db: Db,
  account: Account,
  visit: { readonly ip: string; readonly now: Date; readonly provedAll: boolean },
): Promise<boolean> => {
  const forgotten = visit.provedAll
    ? sql`, failed_count = 0, locked_until = null, wrong_codes = 0, wrong_code_at = null, wrong_code_ip = null`
    : sql``
  const recorded = await sql`update sys_user set last_login = ${visit.now}, last_login_ip = ${visit.ip} ${forgotten}
    where ${asProven(account)} returning 1`.execute(db)
  return recorded.rows.length === 1
}

/** Attempts that failed stay counted: whoever changes a password has not proven the second factor. */
export const storePassword = async (db: Db, userId: number, passwordHash: string, now: Date): Promise<void> => {
  await sql`update sys_user set password_hash = ${passwordHash}, password_changed_at = ${now} where id = ${userId}`.execute(
    db,
  )
}
