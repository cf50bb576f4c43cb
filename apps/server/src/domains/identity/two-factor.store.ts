import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'

export interface SecondFactor {
  /** Sealed; there but not enabled while an enrolment is under way. */
  readonly secret: string | null
  readonly enabled: boolean
}

export const findSecondFactor = async (db: Db, userId: number): Promise<SecondFactor> => {
  const found = await sql<SecondFactor>`select totp_secret as secret, enable_2fa as enabled from sys_user
    where id = ${userId}`.execute(db)
  return found.rows[0] ?? { secret: null, enabled: false }
}

/** False when it is enabled already: a secret in use is never replaced by a new one. */
export const offerSecret = async (db: Db, userId: number, secret: string): Promise<boolean> => {
  const offered = await sql`update sys_user set totp_secret = ${secret}, totp_last_step = null
    where id = ${userId} and not enable_2fa returning 1`.execute(db)
  return offered.rows.length === 1
}

/** Only a step later than the last one counts, so of many who send one code at once one succeeds. */
export const spendStep = async (db: Db, userId: number, step: number): Promise<boolean> => {
  const spent = await sql`update sys_user set totp_last_step = ${step}
    where id = ${userId} and (totp_last_step is null or totp_last_step < ${step}) returning 1`.execute(db)
  return spent.rows.length === 1
}

export const enable = async (db: Db, userId: number): Promise<void> => {
  await sql`update sys_user set enable_2fa = true, two_factor_wanted = false where id = ${userId}`.execute(db)
}

export const replaceRecoveryCodes = async (db: Db, userId: number, hashes: readonly string[]): Promise<void> => {
  await sql`delete from recovery_code where user_id = ${userId}`.execute(db)
  await sql`insert into recovery_code (user_id, code_hash) select ${userId}, h from unnest(${hashes}::text[]) h`.execute(
    db,
  )
}

export const spendRecoveryCode = async (db: Db, userId: number, hash: string): Promise<boolean> => {
  const spent =
    await sql`delete from recovery_code where user_id = ${userId} and code_hash = ${hash} returning 1`.execute(db)
  return spent.rows.length === 1
}
