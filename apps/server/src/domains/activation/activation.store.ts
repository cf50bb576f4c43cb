import { activationCode, type CodeLabel, codeLabels, repeatMinutes, secretMask } from '@campanile/contract'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Scope } from '../../kit/actor.ts'
import { ofDepartment } from '../../kit/department.ts'
import { inScope, reaches } from '../../kit/scope.ts'
import { bindTable, type ShownRow, source, type Table } from '../../kit/table.ts'
import type { Db } from '../../platform/db.ts'
import type { CodeSeal } from './code-seal.ts'

const department = ofDepartment()
const table = { name: 'activation_code', ...department }
export const unrevealed = bindTable(activationCode, table)

/** What the QR code of a label holds. */
export const qrDataOf = (sn: string, code: string, mac: string | null) => `${sn};${code};${mac ?? ''};`

interface StoredCode {
  id: number
  sn: string
  mac: string | null
  /** Stored by an older version and not sealed yet. */
  plain: string | null
  sealed: string | null
}

const findStored = async (db: Db, scope: Scope, ids: readonly number[]): Promise<StoredCode[]> =>
  (
    await sql<StoredCode>`select t.id, t.sn, t.mac, t.activation_code as plain, t.code_sealed as sealed
      from ${source(unrevealed)} where t.id = any(${ids}) and ${inScope(unrevealed, scope)}
      order by array_position(${ids}::bigint[], t.id)`.execute(db)
  ).rows

/** Whether a row holds this code, sealed or not yet. */
const holds = (codes: CodeSeal, code: string): RawBuilder<SqlBool> =>
  sql`(t.code_hash = ${codes.hash(code)} or t.activation_code = ${code})`

/** Labels in the order asked for; rows out of reach are left out. */
export const findLabels = async (db: Db, codes: CodeSeal, scope: Scope, ids: readonly number[]): Promise<CodeLabel[]> =>
  (await findStored(db, scope, ids)).map(({ id, sn, mac, plain, sealed }) => {
    const code = plain ?? codes.open(sn, sealed ?? '')
    return { id, sn, activationCode: code, qrData: qrDataOf(sn, code, mac) }
  })

/** The list. It shows, and finds by, codes only where the reader may hand them out. */
export const bindCodes = (codes: CodeSeal): Table<typeof activationCode> =>
  bindTable(activationCode, {
    ...table,
    columns: {
      ...department.columns,
      used: sql`(t.used_time is not null)`,
      activationCode: sql`${secretMask}::text`,
      qrData: sql`(t.sn || ';' || ${secretMask}::text || ';' || coalesce(t.mac, '') || ';')`,
      deviceSn: (scope: Scope) => sql`(select v.sn from device v join department vd on vd.id = v.department_id
        where v.sn = t.sn and t.used_time is not null and ${reaches(scope, sql`vd.path`)})`,
    },
    filters: { activationCode: (asked: string) => holds(codes, asked.trim().replace(/^"(.*)"$/s, '$1')) },
    lookedUp: async (_db, scope, filters) => {
      if (filters.activationCode === undefined) return sql<SqlBool>`true`
      const handingOut = scope.by?.(codeLabels.perm)
      return handingOut ? inScope(unrevealed, handingOut) : sql<SqlBool>`false`
    },
    reveal: async (db, scope, rows) => {
      const handingOut = scope.by?.(codeLabels.perm)
      if (!handingOut) return rows
      const ids = rows.map(({ id }) => Number(id))
      const labels = new Map((await findLabels(db, codes, handingOut, ids)).map((label) => [label.id, label]))
      return rows.map((row): ShownRow => {
        const label = labels.get(Number(row.id))
        return label ? { ...row, activationCode: label.activationCode, qrData: label.qrData } : row
      })
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
  codes: CodeSeal,
  made: readonly NewCode[],
  of: { departmentId: number; path: string; deviceType: number | null; expireTime: Date | null },
): Promise<{ ids: ReadonlyMap<string, number>; known: number[] }> => {
  const rowsIn = made.map(({ sn, activationCode: code, mac }) => ({ sn, mac, code, ...codes.seal(sn, code) }))
  const { rows } = await sql<{ id: number; sn: string }>`
    insert into activation_code (sn, code_hash, code_sealed, mac, device_type, department_id, expire_time)
    select u.sn, decode(u.hash, 'base64'), u.sealed, u.mac, ${of.deviceType}::smallint, ${of.departmentId},
      ${of.expireTime}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rowsIn)}::jsonb) as u(sn text, code text, hash text, sealed text, mac text)
    where not exists (select from activation_code c join department d on d.id = c.department_id
      where c.sn = u.sn and (c.activation_code = u.code or c.code_hash = decode(u.hash, 'base64'))
        and d.path <@ enterprise_path(${of.path}::ltree))
    on conflict do nothing returning id, sn`.execute(tx)
  const ids = new Map(rows.map(({ id, sn }) => [sn, id]))
  return { ids, known: made.filter(({ sn }) => !ids.has(sn)).map(({ line }) => line) }
}

/**
 * Of a device the newest code of an enterprise counts alone: what was made there before and nobody has used is void from
 * now on. What others made stays theirs, or making codes would be a way to void them.
 */
export const voidOthers = (
  tx: Db,
  path: string,
  { sns, except }: { readonly sns: readonly string[]; readonly except: readonly number[] },
) =>
  sql`update activation_code c set expire_time = now() from department d
    where c.sn = any(${sns}) and c.id <> all(${except}) and c.used_time is null
      and (c.expire_time is null or c.expire_time > now())
      and d.id = c.department_id and d.path <@ enterprise_path(${path}::ltree)`.execute(tx)

/** Codes of the enterprise above a path that can still be used. */
export const countUnused = async (tx: Db, path: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select unused_codes(${path}::ltree)::int as count`.execute(tx)
  return rows[0]?.count ?? 0
}

/** What stands for the enterprise above a path. */
export const enterpriseOf = async (tx: Db, path: string): Promise<string> => {
  const { rows } = await sql<{ id: string }>`select subpath(enterprise_path(${path}::ltree), -1)::text as id`.execute(
    tx,
  )
  return rows[0]?.id ?? path
}

const sealedAtOnce = 1_000

/** Seals what an older version or the demonstration stored in plain; several servers may do so at once. */
export const sealStoredCodes = async (db: Db, codes: CodeSeal): Promise<number> => {
  let sealed = 0
  for (;;) {
    const count = await db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ id: number; sn: string; code: string }>`select id, sn, activation_code as code
        from activation_code where activation_code is not null
        order by id limit ${sealedAtOnce} for update skip locked`.execute(tx)
      const rowsIn = rows.map(({ id, sn, code }) => ({ id, ...codes.seal(sn, code) }))
      await sql`update activation_code t set activation_code = null, code_hash = decode(u.hash, 'base64'),
          code_sealed = u.sealed
        from jsonb_to_recordset(${JSON.stringify(rowsIn)}::jsonb) as u(id bigint, hash text, sealed text)
        where t.id = u.id`.execute(tx)
      return rows.length
    })
    sealed += count
    if (count < sealedAtOnce) return sealed
  }
}

export interface SpentCode {
  id: number
  path: string
  departmentId: number
  deviceType: number | null
  madeOn: string
}

/** What makes the same answer again possible. */
export interface Repeatable {
  readonly keyHash: Buffer
  readonly salt: Buffer
}

/**
 * Takes the code, once: of two that try at the same time one finds it used. Where several enterprises entered the same one
 * from a label, it is theirs who registered the device, or who entered it first.
 */
export const spendCode = async (
  tx: Db,
  codes: CodeSeal,
  { sn, code, repeat }: { sn: string; code: string; repeat: Repeatable | null },
): Promise<SpentCode | undefined> => {
  const { rows } = await sql<SpentCode>`update activation_code t set used_time = now(),
      key_hash = ${repeat?.keyHash ?? null}, answer_salt = ${repeat?.salt ?? null}
    from department made
    where t.used_time is null and made.id = t.department_id and t.id = (
      select t.id from activation_code t join department d on d.id = t.department_id
        left join device v on v.sn = t.sn left join department stands on stands.id = v.department_id
      where t.sn = ${sn} and ${holds(codes, code)} and t.used_time is null
        and (t.expire_time is null or t.expire_time > now())
      order by coalesce(stands.path <@ d.path, false) desc, t.id limit 1)
    returning t.id, made.path::text as path, t.department_id as "departmentId", t.device_type as "deviceType",
      to_char(t.create_time, 'YYYYMMDD') as "madeOn"`.execute(tx)
  return rows[0]
}

export interface KnownCode {
  used: boolean
  /** Of the key it was used with, while its answer may still be asked for again. */
  keyHash: Buffer | null
  salt: Buffer | null
}

/** The code, when it is the right one for this serial number; whoever knows it may be told what became of it. */
export const findCode = async (db: Db, codes: CodeSeal, sn: string, code: string): Promise<KnownCode | undefined> => {
  const open = sql`t.used_time > now() - ${repeatMinutes} * interval '1 minute'`
  const { rows } = await sql<KnownCode>`select t.used_time is not null as used,
      case when ${open} then t.key_hash end as "keyHash", case when ${open} then t.answer_salt end as salt
    from activation_code t where t.sn = ${sn} and ${holds(codes, code)}
    order by t.used_time desc nulls last limit 1`.execute(db)
  return rows[0]
}

export const findPath = async (db: Db, departmentId: number): Promise<string | undefined> => {
  const { rows } = await sql<{ path: string }>`select path::text from department where id = ${departmentId}`.execute(db)
  return rows[0]?.path
}
