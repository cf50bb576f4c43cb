import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'

export const insertCaptcha = async (db: Db, uuid: string, answerHash: Buffer, expiresAt: Date): Promise<void> => {
  await sql`insert into captcha (uuid, answer_hash, expires_at) values (${uuid}, ${answerHash}, ${expiresAt})`.execute(
    db,
  )
}

/** Gone with the first look at it, whatever was answered. */
export const takeCaptcha = async (db: Db, uuid: string, now: Date): Promise<Buffer | undefined> => {
  const taken = await sql<{ answerHash: Buffer; fresh: boolean }>`delete from captcha where uuid = ${uuid}
    returning answer_hash as "answerHash", expires_at > ${now} as fresh`.execute(db)
  return taken.rows[0]?.fresh ? taken.rows[0].answerHash : undefined
}

export const sweepCaptchas = async (db: Db, now: Date): Promise<void> => {
  await sql`delete from captcha where expires_at <= ${now}`.execute(db)
}
