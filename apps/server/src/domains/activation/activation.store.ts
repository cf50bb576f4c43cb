import { activationCode, type CodeLabel } from '@campanile/contract'
import { sql } from 'kysely'
import type { Scope } from '../../kit/actor.ts'
import { ofDepartment } from '../../kit/department.ts'
import { bindTable, inScope, reaches, source } from '../../kit/table.ts'
import type { Db } from '../../platform/db.ts'

const department = ofDepartment()
const qrData = sql<string>`(t.sn || ';' || t.activation_code || ';' || coalesce(t.mac, '') || ';')`

export const activationCodes = bindTable(activationCode, {
  name: 'activation_code',
  ...department,
  columns: {
    ...department.columns,
    used: sql`(t.used_time is not null)`,
    qrData,
    deviceSn: (scope: Scope) => sql`(select v.sn from device v join department vd on vd.id = v.department_id
      where v.sn = t.sn and t.used_time is not null and ${reaches(scope, sql`vd.path`)})`,
  },
})

export interface NewCode {
  readonly line: number
  readonly sn: string
  readonly activationCode: string
  readonly mac: string | null
}

/** What was stored; lines whose code is there already are left out and answered. */
export const insertCodes = async (
  tx: Db,
  codes: readonly NewCode[],
  of: { departmentId: number; deviceType: number | null; expireTime: Date | null },
): Promise<{ ids: ReadonlyMap<string, number>; known: number[] }> => {
  const { rows } = await sql<{ id: number; sn: string }>`
    insert into activation_code (sn, activation_code, mac, device_type, department_id, expire_time)
    select u.sn, u."activationCode", u.mac, ${of.deviceType}::smallint, ${of.departmentId}, ${of.expireTime}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(codes)}::jsonb) as u(sn text, "activationCode" text, mac text)
    on conflict do nothing returning id, sn`.execute(tx)
  const ids = new Map(rows.map(({ id, sn }) => [sn, id]))
  return { ids, known: codes.filter(({ sn }) => !ids.has(sn)).map(({ line }) => line) }
}

export const findLabels = async (db: Db, scope: Scope, ids: readonly number[]): Promise<CodeLabel[]> =>
  (
    await sql<CodeLabel>`select t.id, t.sn, t.activation_code as "activationCode", ${qrData} as "qrData"
      from ${source(activationCodes)} where t.id = any(${ids}) and ${inScope(activationCodes, scope)}
      order by array_position(${ids}::bigint[], t.id)`.execute(db)
  ).rows

export interface SpentCode {
  departmentId: number
  deviceType: number | null
  madeOn: string
}

/** Takes the code, once: of two that try at the same time one finds it used. */
export const spendCode = async (tx: Db, sn: string, code: string): Promise<SpentCode | undefined> => {
  const { rows } = await sql<SpentCode>`update activation_code set used_time = now()
    where sn = ${sn} and activation_code = ${code} and used_time is null and (expire_time is null or expire_time > now())
    returning department_id as "departmentId", device_type as "deviceType", to_char(create_time, 'YYYYMMDD') as "madeOn"`.execute(
    tx,
  )
  return rows[0]
}

export const findCode = async (db: Db, code: string): Promise<{ sn: string; used: boolean }[]> => {
  const { rows } = await sql<{
    sn: string
    used: boolean
  }>`select sn, used_time is not null as used from activation_code
    where activation_code = ${code} limit 100`.execute(db)
  return rows
}

export const findPath = async (db: Db, departmentId: number): Promise<string | undefined> => {
  const { rows } = await sql<{ path: string }>`select path::text from department where id = ${departmentId}`.execute(db)
  return rows[0]?.path
}
