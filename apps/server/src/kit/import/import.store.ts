import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import { toJsonb } from '../../platform/jsonb.ts'
import { type CheckedRow, isThere, type RowError } from './check.ts'

export interface ImportRun {
  id: number
  resource: string
  userId: number
  departmentId: number
  headers: string[]
  state: 'checked' | 'running' | 'done'
  total: number
  created: number
  failed: number
  skipped: number
  fileId: number | null
}

export interface ImportRow {
  number: number
  cells: (string | null)[]
  draft: Record<string, unknown> | null
  state: 'waiting' | 'created' | 'failed' | 'skipped'
  errors: RowError[] | null
  shown: Record<string, string> | null
  above: number | null
  createdId: number | null
}

export const insertRun = async (
  db: Db,
  run: Pick<ImportRun, 'resource' | 'userId' | 'departmentId' | 'headers' | 'total'>,
): Promise<number> => {
  const { rows } = await sql<{ id: number }>`insert into import_run (resource, user_id, department_id, headers, total)
    values (${run.resource}, ${run.userId}, ${run.departmentId}, ${run.headers}, ${run.total}) returning id`.execute(db)
  return rows[0]?.id as number
}

export const insertRows = async (
  db: Db,
  runId: number,
  rows: readonly Pick<CheckedRow, 'number' | 'cells' | 'draft' | 'errors' | 'above' | 'exists'>[],
) => {
  const bad = rows.map((row) => row.errors.length > 0)
  await sql`insert into import_row (run_id, number, cells, draft, state, errors, above)
    select ${runId}, r.number, r.cells::jsonb, r.draft::jsonb, r.state, r.errors::jsonb, r.above
    from unnest(${rows.map((row) => row.number)}::int[], ${rows.map((row) => toJsonb(row.cells))}::text[],
      ${rows.map((row, index) => (bad[index] ? null : toJsonb(row.draft)))}::text[],
      ${rows.map((row, index) => (bad[index] ? toJsonb(row.errors) : null))}::text[],
      ${rows.map((row) => row.above)}::int[],
      ${rows.map((row, index) => (bad[index] ? 'failed' : isThere(row) ? 'skipped' : 'waiting'))}::text[]
    ) as r(number, cells, draft, errors, above, state)`.execute(db)
}

const columns = sql`id, resource, user_id as "userId", department_id as "departmentId", headers, state, total, created,
  failed, skipped, file_id as "fileId"`

/** One's own only. */
export const findRun = async (db: Db, resource: string, userId: number, id: number): Promise<ImportRun | undefined> => {
  const { rows } = await sql<ImportRun>`select ${columns} from import_run
    where id = ${id} and resource = ${resource} and user_id = ${userId}`.execute(db)
  return rows[0]
}

/** Whoever comes first starts it; the second finds it started. */
export const markRunning = async (db: Db, id: number): Promise<boolean> => {
  const { rows } = await sql`update import_run set state = 'running' where id = ${id} and state = 'checked'
    returning id`.execute(db)
  return rows.length > 0
}

export const progressOf = async (db: Db, runId: number) => {
  const { rows } = await sql<Record<ImportRow['state'], number>>`select
      count(*) filter (where state = 'waiting') as waiting, count(*) filter (where state = 'created') as created,
      count(*) filter (where state = 'failed') as failed, count(*) filter (where state = 'skipped') as skipped
    from import_row where run_id = ${runId}`.execute(db)
  return rows[0] as Record<ImportRow['state'], number>
}

export const rowsOf = async (db: Db, runId: number, state: ImportRow['state']): Promise<ImportRow[]> => {
  const { rows } = await sql<ImportRow>`select number, cells, draft, state, errors, shown, above,
      created_id as "createdId" from import_row
    where run_id = ${runId} and state = ${state} order by number`.execute(db)
  return rows
}

export const settleRow = async (
  db: Db,
  runId: number,
  number: number,
  row: Pick<ImportRow, 'state'> & { errors?: RowError[]; shown?: Record<string, string>; createdId?: number },
) => {
  await sql`update import_row set state = ${row.state}, errors = ${row.errors ? toJsonb(row.errors) : null}::jsonb,
      shown = ${row.shown ? toJsonb(row.shown) : null}::jsonb, created_id = ${row.createdId ?? null}
    where run_id = ${runId} and number = ${number}`.execute(db)
}

export const skipRows = async (db: Db, runId: number, numbers: readonly number[]) => {
  await sql`update import_row set state = 'skipped' where run_id = ${runId} and number = any(${numbers})`.execute(db)
}

/** The rows have served; only the counts stay. */
export const finishRun = async (db: Db, runId: number, fileId: number | null) => {
  await sql`update import_run r set state = 'done', file_id = ${fileId}, created = n.created, failed = n.failed,
      skipped = n.skipped
    from (select count(*) filter (where state = 'created') as created, count(*) filter (where state = 'failed') as failed,
        count(*) filter (where state = 'skipped') as skipped from import_row where run_id = ${runId}) n
    where r.id = ${runId}`.execute(db)
  await sql`delete from import_row where run_id = ${runId}`.execute(db)
}

/** What was checked and never run is forgotten after a day, what was run after a month. */
export const removeOldRuns = (db: Db) =>
  sql`delete from import_run where state = 'checked' and create_time < now() - interval '1 day'
    or state = 'done' and create_time < now() - interval '30 days'`.execute(db)
