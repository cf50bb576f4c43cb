import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { catchUpLog } from '../../platform/audit.ts'
import type { Db } from '../../platform/db.ts'
import { type Head, readHeads } from './audit-heads.ts'

export interface AuditVerdict {
  /** Lines that fit. */
  readonly checked: number
  readonly bad?: {
    /** Number of the first line that does not fit. */
    readonly id: number
    readonly reason: 'changed' | 'missing' | 'skipped' | 'waiting' | 'replaced' | 'headChanged' | 'notesChanged'
    /** For `replaced`: when the log was last seen otherwise. */
    readonly notedAt?: string
  }
}

const batch = 5_000

/** A line as its strand knows it; those from before there were strands have none. */
interface Strung {
  strand: number | null
  number: number | null
  seal: string | null
  digest: string | null
}

interface Line extends Strung {
  id: number
  hash: string
  fits: boolean
}

/** Written out here and not taken from the functions in the database, which whoever changed the log could have changed as well. */
const content = sql`convert_to((jsonb_build_array(id, extract(epoch from create_time), department_id, department_name,
  department_path::text, user_id, username, client_ip, host, route, module, type, description, result, code, user_agent,
  before, after) || case when outside then '["outside"]'::jsonb else '[]'::jsonb end
  || case when strand is null then '[]'::jsonb
    else jsonb_build_array(strand, strand_number, extract(epoch from write_time), encode(seal, 'hex')) end)::text, 'UTF8')`
const nothing = sql`decode(repeat('00', 32), 'hex')`
/** What a line said when it was written; a null strand makes no null of it, so it is asked for. */
const strung = (written: ReturnType<typeof sql>) => sql`strand, strand_number as number, encode(seal, 'hex') as seal,
  case when strand is not null then encode(sha256(convert_to(jsonb_build_array(strand, strand_number,
    extract(epoch from ${written}), department_id, department_name, department_path::text, outside, user_id, username,
    client_ip, host, route, module, type, description, result, code, user_agent, before, after)::text, 'UTF8')), 'hex') end
  as digest`

/** Follows the strands: each line has the next number of its own, and a seal over the one before it and what it says. */
const createStrands = () => {
  const ends = new Map<number, { number: number; seal: string }>()
  const none = { number: 0, seal: '0'.repeat(64) }
  return {
    endOf: (strand: number) => ends.get(strand) ?? none,
    /** What is wrong with the line, if anything. */
    faultOf: ({ strand, number, seal, digest }: Strung): 'changed' | 'skipped' | undefined => {
      // Once there are strands, every line has one.
      if (strand === null || number === null || seal === null || digest === null)
        return ends.size > 0 ? 'changed' : undefined
      const before = ends.get(strand) ?? none
      if (number !== before.number + 1) return 'skipped'
      const sealed = createHash('sha256')
        .update(Buffer.from(before.seal, 'hex'))
        .update(Buffer.from(digest, 'hex'))
        .digest('hex')
      if (sealed !== seal) return 'changed'
      ends.set(strand, { number, seal })
      return undefined
    },
  }
}

type Strands = ReturnType<typeof createStrands>

/**
 * Computes the chain anew from the first line to the last, and each strand with it; then compares their ends with what the
 * database remembers, and the chain with what was noted outside of it.
 */
export const verifyAudit = async (db: Db, dataDir: string, signingKey: Buffer): Promise<AuditVerdict> => {
  const { heads, forgedLine } = await readHeads(dataDir, signingKey)
  await catchUpLog(db)
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (transaction) => {
      const tx = transaction as Db
      await sql`declare lines no scroll cursor for
      select id, encode(hash, 'hex') as hash,
        hash = sha256(coalesce(lag(hash) over (order by id), ${nothing}) || ${content}) as fits,
        ${strung(sql`write_time`)}
      from op_log order by id`.execute(tx)
      const noted = [...heads]
      const strands = createStrands()
      let last = { id: 0, hash: '0'.repeat(64) }
      for (;;) {
        const { rows } = await sql<Line>`fetch ${sql.lit(batch)} from lines`.execute(tx)
        if (rows.length === 0) break
        for (const line of rows) {
          const bad = faultOf(line, last.id, noted, strands)
          if (bad) return { checked: last.id, bad }
          last = line
        }
      }
      const end = await verdictOfEnd(tx, last, noted, forgedLine, strands)
      if (end.bad || (await isWaitingWhole(tx, strands))) return end
      return { checked: last.id, bad: { id: last.id, reason: 'waiting' } }
    })
}

const faultOf = (line: Line, previous: number, noted: Head[], strands: Strands): AuditVerdict['bad'] => {
  if (line.id !== previous + 1) return { id: previous + 1, reason: 'missing' }
  if (!line.fits) return { id: line.id, reason: 'changed' }
  const unstrung = strands.faultOf(line)
  if (unstrung) return { id: line.id, reason: unstrung }
  const head = noted[0]
  if (head?.id !== line.id) return undefined
  noted.shift()
  // The chain is whole, but it is another one: everything after the note before this one may have been rewritten.
  return head.hash === line.hash ? undefined : { id: line.id, reason: 'replaced', notedAt: head.at }
}

/** What was written since the log was caught up goes on where the strands end, and ends where the database says they do. */
const isWaitingWhole = async (db: Db, strands: Strands): Promise<boolean> => {
  const waiting = await sql<Strung>`select ${strung(sql`create_time`)} from op_log_pending
    order by strand, strand_number`.execute(db)
  if (waiting.rows.some((line) => strands.faultOf(line))) return false
  const ends = await sql<{ strand: number; number: number; seal: string }>`select strand, number,
    encode(seal, 'hex') as seal from op_log_strand`.execute(db)
  return ends.rows.every(({ strand, number, seal }) => {
    const end = strands.endOf(strand)
    return end.number === number && end.seal === seal
  })
}

const verdictOfEnd = async (
  db: Db,
  last: { id: number; hash: string },
  noted: readonly Head[],
  forgedLine: number | undefined,
  strands: Strands,
): Promise<AuditVerdict> => {
  const { rows } = await sql<{
    id: number
    hash: string
    chained: number[]
  }>`select id, encode(hash, 'hex') as hash, chained from op_log_head`.execute(db)
  const head = rows[0]
  const checked = last.id
  if (noted.length > 0 || (head && head.id > last.id)) return { checked, bad: { id: last.id + 1, reason: 'missing' } }
  const isCaughtUp = head?.chained.every((number, strand) => number === strands.endOf(strand).number)
  if (!head || head.id !== last.id || head.hash !== last.hash || !isCaughtUp)
    return { checked, bad: { id: last.id, reason: 'headChanged' } }
  return forgedLine ? { checked, bad: { id: forgedLine, reason: 'notesChanged' } } : { checked }
}

/** For whoever typed the command. */
export const auditSentence = ({ checked, bad }: AuditVerdict): string => {
  if (!bad) return `The operation log is whole: ${checked} lines, each with the hash of the one before.`
  const sentences = {
    changed: `Line ${bad.id} of the operation log is not what was written, or does not follow the line before it.`,
    missing: `Line ${bad.id} of the operation log is missing.`,
    skipped: `Before line ${bad.id} of the operation log a line was taken out while it waited to be chained.`,
    waiting: `After line ${bad.id} of the operation log a line that waited to be chained was changed or taken out.`,
    replaced: `The operation log up to line ${bad.id} was replaced: on ${bad.notedAt} it had another hash.`,
    headChanged: `The operation log ends with line ${bad.id}, but the database remembers another end.`,
    notesChanged: `Line ${bad.id} of audit-heads.log was not written by this installation.`,
  }
  return `${sentences[bad.reason]} The ${checked} lines before it fit.`
}
