import { sql } from 'kysely'
import type { Db } from './db.ts'
import type { Jobs } from './jobs.ts'

/** A part of such a table: all rows from its beginning to its end, in a table of its own name. */
export interface Span {
  readonly name: string
  /** Null where it holds everything before its end. */
  readonly since: Date | null
  readonly until: Date
}

/** Records without end: a table that is partitioned by time (`keep_records` in its migration). */
export interface RecordsSpec {
  readonly table: string
  /** Days a span is kept after its end; with 0 it goes as soon as its sums are written. */
  readonly keepDays: () => number | Promise<number>
  /**
   * Writes sums of a span that is over, before it can be dropped. It is called again after a crash and may be called by two
   * servers, so it replaces what it wrote.
   */
  readonly rollUp?: (db: Db, span: Span) => Promise<unknown>
  /** How long after its end something may still be on its way into a span. */
  readonly graceMs?: number
}

const dayMs = 86_400_000
const tidyMs = 5 * 60_000

const findSpans = async (db: Db, table: string): Promise<(Span & { rolledUp: boolean })[]> => {
  const { rows } = await sql<{ name: string; since: string | null; until: string; rolledUp: boolean }>`
    select s.name, s.since, s.until, exists (select from record_span r
      where r.table_name = ${table} and r.name = s.name) as "rolledUp"
    from record_spans(${table}) s where s.until is not null`.execute(db)
  return rows.map((row) => ({ ...row, since: row.since ? new Date(row.since) : null, until: new Date(row.until) }))
}

/** Parts for what comes, sums of what is over, an end to what is old. Repeating it changes nothing. */
export const tidyRecords = async (db: Db, { table, keepDays, rollUp, graceMs = 0 }: RecordsSpec, now: Date) => {
  await sql`select record_tidy(${table}, ${now})`.execute(db)
  const oldest = now.getTime() - (await keepDays()) * dayMs
  for (const span of await findSpans(db, table)) {
    const { name, until, rolledUp } = span
    if (until.getTime() > now.getTime() - graceMs) continue
    if (rollUp && !rolledUp) {
      await rollUp(db, span)
      await sql`insert into record_span (table_name, name) values (${table}, ${name}) on conflict do nothing`.execute(
        db,
      )
    }
    if (until.getTime() <= oldest) await sql`select record_drop(${table}, ${name})`.execute(db)
  }
}

/** Makes room for rows of a time that is past or yet to come. */
export const prepareRecords = (db: Db, table: string, at: Date) =>
  sql`select record_prepare(${table}, ${at})`.execute(db)

export const createRecords = ({ db, jobs }: { db: Db; jobs: Jobs }) => ({
  /** From the start of the server, every few minutes. */
  keep: (spec: RecordsSpec) => jobs.every(`keeping ${spec.table}`, tidyMs, () => tidyRecords(db, spec, new Date())),
})

export type Records = ReturnType<typeof createRecords>
