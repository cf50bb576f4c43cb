import { timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { RefusalReason } from '../../gateway/wire.ts'
import type { Db } from '../../platform/db.ts'

interface Known {
  sn: string
  id: number
  hash: Buffer | null
  licenceMissing: boolean
}

/** Where an organisation, or one above it, wants a licence, the device needs one that is valid today. */
const findKnown = async (db: Db, sns: readonly string[]): Promise<Known[]> => {
  const { rows } = await sql<Known>`
    select t.sn, t.id, t.credential_hash as hash,
      exists (select from department a where d.path <@ a.path and a.device_key_status)
        and not exists (select from licence l where l.device_id = t.id and l.kind = 'iot' and not l.revoked
          and l.start_date <= current_date and l.expiry >= current_date) as "licenceMissing"
    from device t join department d on d.id = t.department_id where t.sn = any(${sns})`.execute(db)
  return rows
}

const decide = (known: Known | undefined, secretHash: Uint8Array): number | RefusalReason => {
  if (!known) return 'unknownDevice'
  if (!known.hash) return 'revoked'
  if (!timingSafeEqual(known.hash, secretHash)) return 'wrongPassword'
  return known.licenceMissing ? 'licence' : known.id
}

/**
 * Who may connect. Asked of the database each time, many at once: nothing is remembered, so nothing needs to be forgotten
 * when a credential is revoked.
 */
export const admit = async (
  db: Db,
  asked: readonly { sn: string; secretHash: Uint8Array }[],
): Promise<(number | RefusalReason)[]> => {
  const found = await findKnown(
    db,
    asked.map(({ sn }) => sn),
  )
  const known = new Map(found.map((each) => [each.sn, each]))
  return asked.map(({ sn, secretHash }) => decide(known.get(sn), secretHash))
}
