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

/**
 * Gives a device its credential, and registers it where nobody has. One that is registered stays where it is; false when
 * that is outside the organisation that asks. An older credential ends, and with it its connection.
 */
export const enrolDevice = async (tx: Db, device: Enrolment): Promise<boolean> => {
  const { sn, departmentId, deviceType, batchNumber, credentialHash } = device
  const { rows } = await sql<{ id: number }>`
    insert into device as t (sn, department_id, device_type, batch_number, credential_hash, activation_status)
    values (${sn}, ${departmentId}, ${deviceType}, ${batchNumber}, ${credentialHash}, ${activationStates.bound})
    on conflict (sn) do update set credential_hash = excluded.credential_hash,
      credential_version = t.credential_version + 1, activation_status = excluded.activation_status
    where exists (select from department own join department asks on own.path <@ asks.path
      where own.id = t.department_id and asks.id = ${departmentId})
    returning t.id`.execute(tx)
  return rows.length > 0
}

/** Whether this is what opens the connection of the device now. */
export const hasCredential = async (db: Db, sn: string, credentialHash: Buffer): Promise<boolean> => {
  const { rows } = await sql`select from device where sn = ${sn} and credential_hash = ${credentialHash}`.execute(db)
  return rows.length > 0
}

/** Nobody else registers devices or makes codes until the transaction ends, so that of two who want a number one has it. */
export const lockSerials = (tx: Db) =>
  sql`select pg_advisory_xact_lock(hashtext('campanile serial numbers'))`.execute(tx)

/** Of these, those that another enterprise has made activation codes for, seen from a department. */
export const findReserved = async (
  db: Db,
  scope: { everything: boolean },
  departmentId: number,
  sns: readonly string[],
): Promise<string[]> => {
  if (scope.everything) return []
  const { rows } = await sql<{
    sn: string
  }>`select taken.sn from department d, serials_reserved(${sns}, d.path) taken(sn)
    where d.id = ${departmentId}`.execute(db)
  return rows.map((row) => row.sn)
}

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
