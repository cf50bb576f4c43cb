import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import { type Head, readHeads } from './audit-heads.ts'

export interface AuditVerdict {
  /** Lines that fit. */
  readonly checked: number
  readonly bad?: {
    /** Number of the first line that does not fit. */
    readonly id: number
    readonly reason: 'changed' | 'missing' | 'replaced' | 'headChanged' | 'notesChanged'
    /** For `replaced`: when the log was last seen otherwise. */
    readonly notedAt?: string
  }
}

const batch = 5_000

interface Line {
  id: number
  hash: string
  fits: boolean
}

/** Written out here and not taken from the function in the database, which whoever changed the log could have changed as well. */
const content = sql`convert_to((jsonb_build_array(id, extract(epoch from create_time), department_id, department_name,
  department_path::text, user_id, username, client_ip, host, route, module, type, description, result, code, user_agent,
  before, after) || case when outside then '["outside"]'::jsonb else '[]'::jsonb end)::text, 'UTF8')`
const nothing = sql`decode(repeat('00', 32), 'hex')`

/** Computes the chain anew from the first line to the last, then compares it with what was noted outside the database. */
export const verifyAudit = async (db: Db, dataDir: string, signingKey: Buffer): Promise<AuditVerdict> => {
  const { heads, forgedLine } = await readHeads(dataDir, signingKey)
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (transaction) => {
      const tx = transaction as Db
      await sql`declare lines no scroll cursor for
      select id, encode(hash, 'hex') as hash,
        hash = sha256(coalesce(lag(hash) over (order by id), ${nothing}) || ${content}) as fits
      from op_log order by id`.execute(tx)
      const noted = [...heads]
      let last = { id: 0, hash: '0'.repeat(64) }
      for (;;) {
        const { rows } = await sql<Line>`fetch ${sql.lit(batch)} from lines`.execute(tx)
        if (rows.length === 0) break
        for (const line of rows) {
          const bad = faultOf(line, last.id, noted)
          if (bad) return { checked: last.id, bad }
          last = line
        }
      }
      return verdictOfEnd(tx, last, noted, forgedLine)
    })
}

const faultOf = (line: Line, previous: number, noted: Head[]): AuditVerdict['bad'] => {
  if (line.id !== previous + 1) return { id: previous + 1, reason: 'missing' }
  if (!line.fits) return { id: line.id, reason: 'changed' }
  const head = noted[0]
  if (head?.id !== line.id) return undefined
  noted.shift()
  // The chain is whole, but it is another one: everything after the note before this one may have been rewritten.
  return head.hash === line.hash ? undefined : { id: line.id, reason: 'replaced', notedAt: head.at }
}

const verdictOfEnd = async (
  db: Db,
  last: { id: number; hash: string },
  noted: readonly Head[],
  forgedLine: number | undefined,
): Promise<AuditVerdict> => {
  const { rows } = await sql<{
    id: number
    hash: string
  }>`select id, encode(hash, 'hex') as hash from op_log_head`.execute(db)
  const head = rows[0]
  const checked = last.id
  if (noted.length > 0 || (head && head.id > last.id)) return { checked, bad: { id: last.id + 1, reason: 'missing' } }
  if (!head || head.id !== last.id || head.hash !== last.hash)
    return { checked, bad: { id: last.id, reason: 'headChanged' } }
  return forgedLine ? { checked, bad: { id: forgedLine, reason: 'notesChanged' } } : { checked }
}

/** For whoever typed the command. */
export const auditSentence = ({ checked, bad }: AuditVerdict): string => {
  if (!bad) return `The operation log is whole: ${checked} lines, each with the hash of the one before.`
  const sentences = {
    changed: `Line ${bad.id} of the operation log is not what was written, or does not follow the line before it.`,
    missing: `Line ${bad.id} of the operation log is missing.`,
    replaced: `The operation log up to line ${bad.id} was replaced: on ${bad.notedAt} it had another hash.`,
    headChanged: `The operation log ends with line ${bad.id}, but the database remembers another end.`,
    notesChanged: `Line ${bad.id} of audit-heads.log was not written by this installation.`,
  }
  return `${sentences[bad.reason]} The ${checked} lines before it fit.`
}
