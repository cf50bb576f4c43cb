import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'

export interface KeptKey {
  readonly keyFile: number
  /** Sealed. */
  readonly keyValue: string
}

export const findKey = async (db: Db, id: number): Promise<KeptKey | undefined> => {
  const { rows } = await sql<KeptKey>`select key_file as "keyFile", key_value as "keyValue" from signing_key
    where id = ${id} for update`.execute(db)
  return rows[0]
}

/** Of the certificate; the reference to the key was checked with the row that makes it. */
export const findFingerprint = async (db: Db, id: number): Promise<string> =>
  (await sql<{ fingerprint: string }>`select fingerprint from signing_key where id = ${id}`.execute(db)).rows[0]
    ?.fingerprint ?? ''
