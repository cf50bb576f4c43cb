import { timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { Admitted, Asked } from '../../gateway/admissions.ts'
import type { RefusalReason } from '../../gateway/wire.ts'
import type { Db } from '../../platform/db.ts'

interface Known {
  sn: string
  id: number
  hash: Buffer | null
  /** Another one as soon as the device was given or lost a credential or was moved. */
  grant: string
  licenceMissing: boolean
}

/** Where an organisation, or one above it, wants a licence, the device needs one that is valid today. */
const findKnown = async (db: Db, sns: readonly string[]): Promise<Known[]> => {
  const { rows } = await sql<Known>`
    select t.sn, t.id, t.credential_hash as hash, t.credential_version || '/' || t.department_id as "grant",
      exists (select from department a where d.path <@ a.path and a.device_key_status)
        and not exists (select from licence l where l.device_id = t.id and l.kind = 'iot' and not l.revoked
          and l.start_date <= current_date and l.expiry >= current_date) as "licenceMissing"
    from device t join department d on d.id = t.department_id where t.sn = any(${sns})`.execute(db)
  return rows
}

const isSame = (hash: Buffer, secret: Buffer) => hash.length === secret.length && timingSafeEqual(hash, secret)

const decide = (known: Known | undefined, secret: string): Admitted | RefusalReason => {
  if (!known) return 'unknownDevice'
  if (!known.hash) return 'revoked'
  if (!isSame(known.hash, Buffer.from(secret, 'latin1'))) return 'wrongPassword'
  return known.licenceMissing ? 'licence' : { deviceId: known.id, grant: known.grant }
}

/**
 * Who may connect, and who may stay connected. Asked of the database each time, many at once: nothing is remembered, so
 * nothing needs to be forgotten when a credential is revoked.
 */
export const admit = async (db: Db, asked: readonly Asked[]): Promise<(Admitted | RefusalReason)[]> => {
  const found = await findKnown(
    db,
    asked.map(({ sn }) => sn),
  )
  const known = new Map(found.map((each) => [each.sn, each]))
  return asked.map(({ sn, secret }) => decide(known.get(sn), secret))
}
