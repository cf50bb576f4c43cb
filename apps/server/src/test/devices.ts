import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../platform/db.ts'

interface Registered {
  readonly departmentId: number
  readonly type?: number
  /** As if it had activated with this password. */
  readonly password?: string
  readonly activation?: number
  readonly model?: string
  readonly online?: boolean
}

/** Registered devices; what is left out is as on the day of registration. Answers their ids in the order of the serials. */
export const addDevices = async (db: Db, sns: readonly string[], facts: Registered): Promise<number[]> => {
  const { departmentId, type = 2, password, activation = 0, model = null, online = false } = facts
  const hash = password === undefined ? null : createHash('sha256').update(password).digest()
  const { rows } = await sql<{ id: number; sn: string }>`insert into device
      (sn, department_id, device_type, batch_number, activation_status, credential_hash, model)
    select sn, ${departmentId}, ${type}, 'B', ${activation}, ${hash}::bytea, ${model}::text
    from unnest(${sns}::text[]) sn returning id, sn`.execute(db)
  const ids = new Map(rows.map(({ sn, id }) => [sn, id]))
  if (online)
    await sql`update device_state set iot_status = 'online' where device_id = any(${[...ids.values()]})`.execute(db)
  return sns.map((sn) => ids.get(sn) as number)
}

/** A registered device and the password it was given. */
export const addDevice = async (db: Db, { sn, ...facts }: Omit<Registered, 'password'> & { sn: string }) => {
  const password = randomBytes(32).toString('base64url')
  const [id = 0] = await addDevices(db, [sn], { ...facts, password })
  return { id, sn, password }
}
