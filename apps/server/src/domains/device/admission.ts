import { timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { Admitted, Asked } from '../../gateway/admissions.ts'
import type { RefusalReason } from '../../gateway/wire.ts'
import type { Db } from '../../platform/db.ts'
import { broughtParts } from './extension.ts'

interface Known {
  sn: string
  id: number
  hash: Buffer | null
  /** Another one as soon as the device was given or lost a credential or was moved. */
  grant: string
  /** Why another room does not let it in. */
  refused: RefusalReason | null
}

/** The first reason of another room that holds, or null. */
const firstRefusal = () => {
  const reasons = broughtParts('admission').map(({ reason, refusedWhen }) => sql`when ${refusedWhen} then ${reason}`)
  return reasons.length > 0 ? sql`case ${sql.join(reasons, sql` `)} end` : sql`null`
}

const findKnown = async (db: Db, sns: readonly string[]): Promise<Known[]> => {
  const { rows } = await sql<Known>`
    select t.sn, t.id, t.credential_hash as hash, t.credential_version || '/' || t.department_id as "grant",
      ${firstRefusal()} as refused
    from device t join department d on d.id = t.department_id where t.sn = any(${sns})`.execute(db)
  return rows
}

const isSame = (hash: Buffer, secret: Buffer) => hash.length === secret.length && timingSafeEqual(hash, secret)

const decide = (known: Known | undefined, secret: string): Admitted | RefusalReason => {
  if (!known) return 'unknownDevice'
  if (!known.hash) return 'revoked'
  if (!isSame(known.hash, Buffer.from(secret, 'latin1'))) return 'wrongPassword'
  return known.refused ?? { deviceId: known.id, grant: known.grant }
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
