import { sql } from 'kysely'
import type { FileRecords } from '../../kit/file-records.ts'

const descriptionMax = 256
const idOf = ({ rows }: { rows: { id: number }[] }) => rows[0]?.id as number

/** What exports and imports write down of the files they make. */
export const fileRecords: FileRecords = {
  begin: async (db, { name, departmentId, creatorId }) =>
    idOf(
      await sql<{ id: number }>`insert into export_file (name, type, department_id, creator_id, progress)
        values (${name}, 'export', ${departmentId}, ${creatorId}, 0) returning id`.execute(db),
    ),

  claim: async (db, id, key) => {
    const { rows } = await sql<{ name: string; storedAs: string }>`
      update export_file set stored_as = coalesce(stored_as, ${key})
      where id = ${id} and state = 'inProgress' returning name, stored_as as "storedAs"`.execute(db)
    return rows[0]
  },

  progress: (db, id, percent) =>
    sql`update export_file set progress = ${percent} where id = ${id} and state = 'inProgress'`.execute(db),

  complete: async (db, id, { size, sha256, rows: rowCount, keepDays }) => {
    const { rows } = await sql`update export_file set state = 'complete', progress = 100, size = ${size},
        sha256 = ${sha256}, row_count = ${rowCount}, expire_time = now() + ${keepDays} * interval '1 day'
      where id = ${id} and state = 'inProgress' returning id`.execute(db)
    return rows.length > 0
  },

  fail: async (db, id, { reason, keepDays }) => {
    const { rows } = await sql<{ name: string; storedAs: string | null }>`
      update export_file set state = 'abnormal', progress = null, description = ${reason.slice(0, descriptionMax)},
        expire_time = now() + ${keepDays} * interval '1 day'
      where id = ${id} and state = 'inProgress' returning name, stored_as as "storedAs"`.execute(db)
    return rows[0]
  },

  addResult: async (db, { name, key, size, sha256, rows, departmentId, creatorId, keepDays }) =>
    idOf(
      await sql<{ id: number }>`insert into export_file
          (name, type, state, progress, row_count, size, stored_as, sha256, department_id, creator_id, expire_time)
        values (${name}, 'importResult', 'complete', 100, ${rows}, ${size}, ${key}, ${sha256}, ${departmentId},
          ${creatorId}, now() + ${keepDays} * interval '1 day') returning id`.execute(db),
    ),
}
