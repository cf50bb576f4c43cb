import { activationStates } from '@campanile/contract'
import { sql } from 'kysely'
import { reaches } from '../../kit/scope.ts'
import type { Db } from '../../platform/db.ts'

export interface Enrolment {
  readonly sn: string
  readonly departmentId: number
  readonly deviceType: number
  readonly batchNumber: string
  readonly credentialHash: Buffer
}

/** What came of it: `again` where another password opened the device's connection until now. */
export interface Enrolled {
  readonly again: boolean
  /** Where it stands. */
  readonly departmentId: number
}

/**
 * Gives a device its credential, and registers it where nobody has. One that is registered stays where it is; nothing when
 * that is outside the organisation that asks. An older credential ends, and with it its connection.
 */
export const enrolDevice = async (tx: Db, device: Enrolment): Promise<Enrolled | undefined> => {
  const { sn, departmentId, deviceType, batchNumber, credentialHash } = device
  const held = await sql`select from device where sn = ${sn} and credential_hash is not null for update`.execute(tx)
  const { rows } = await sql<{ departmentId: number }>`
    insert into device as t (sn, department_id, device_type, batch_number, credential_hash, activation_status)
    values (${sn}, ${departmentId}, ${deviceType}, ${batchNumber}, ${credentialHash}, ${activationStates.bound})
    on conflict (sn) do update set credential_hash = excluded.credential_hash,
      credential_version = t.credential_version + 1, activation_status = excluded.activation_status
    where exists (select from department own join department asks on own.path <@ asks.path
      where own.id = t.department_id and asks.id = ${departmentId})
    returning t.department_id as "departmentId"`.execute(tx)
  return rows[0] && { again: held.rows.length > 0, departmentId: rows[0].departmentId }
}

/** Of these, those that are bound and hold a password: whoever joins as one of them takes its place. */
export const findJoined = async (db: Db, sns: readonly string[]): Promise<Set<string>> => {
  const { rows } = await sql<{ sn: string }>`select sn from device where sn = any(${sns})
    and credential_hash is not null and activation_status = ${activationStates.bound}`.execute(db)
  return new Set(rows.map(({ sn }) => sn))
}

/** Whether this is what opens the connection of the device now. */
export const hasCredential = async (db: Db, sn: string, credentialHash: Buffer): Promise<boolean> => {
  const { rows } = await sql`select from device where sn = ${sn} and credential_hash = ${credentialHash}`.execute(db)
  return rows.length > 0
}

/** Nobody else registers devices or makes codes until the transaction ends, so that of two who want a number one has it. */
export const lockSerials = (tx: Db) =>
  sql`select pg_advisory_xact_lock(hashtext('campanile serial numbers'))`.execute(tx)

/** Of these, those registered outside what the caller may see. */
export const findForeign = async (
  db: Db,
  scope: { everything: boolean; paths: readonly string[] },
  sns: readonly string[],
): Promise<string[]> => {
  if (scope.everything) return []
  const { rows } = await sql<{ sn: string }>`select taken.sn from serials_taken(${sns}) taken(sn)
    where not exists (select from device t join department d on d.id = t.department_id
      where t.sn = taken.sn and ${reaches(scope, sql`d.path`)})`.execute(db)
  return rows.map((row) => row.sn)
}
