import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'

/** Remembers that somebody has signed in from there. */
export const recordNetwork = async (db: Db, userId: number, network: string, now: Date): Promise<void> => {
  await sql`insert into sign_in_network (user_id, network, last_at) values (${userId}, ${network}, ${now})
    on conflict (user_id, network) do update set last_at = excluded.last_at`.execute(db)
}

export const hasSignedInFrom = async (db: Db, userId: number, network: string): Promise<boolean> => {
  const found = await sql`select from sign_in_network where user_id = ${userId} and network = ${network}`.execute(db)
  return found.rows.length === 1
}

export const sweepNetworks = async (db: Db, before: Date): Promise<void> => {
  await sql`delete from sign_in_network where last_at < ${before}`.execute(db)
}
