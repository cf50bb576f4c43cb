import { AppError, type FileValue, fileErrors, fileFields } from '@campanile/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import type { Scope } from '../actor.ts'
import { storedName, type Table } from '../table.ts'

type Values = Readonly<Record<string, unknown>>

/**
 * What a row is given to hold was sent for this very field by whoever writes the row, and no other row holds it; or the row
 * holds it already. Answers the values with files as they are known here, whatever else was said about them.
 */
export const attachFiles = async (
  db: Db,
  table: Table,
  scope: Scope,
  values: Values,
  rowId: number | null = null,
): Promise<Values> => {
  const attached: Record<string, unknown> = {}
  for (const [name] of fileFields(table.resource)) {
    const given = values[name] as FileValue | null | undefined
    if (!given) continue
    const held = sql.ref(`t.${storedName(name)}`)
    const { rows } = await sql<FileValue>`select f.id, f.name, f.size, f.type from stored_file f
      where f.id = ${given.id} and f.resource = ${table.resource.name} and f.field = ${name} and f.name is not null
        and (exists (select from ${sql.table(table.name)} t where ${held} = f.id and t.id = ${rowId})
          or f.creator_id = ${scope.actorId}
            and not exists (select from ${sql.table(table.name)} t where ${held} = f.id))
      for update of f`.execute(db)
    if (!rows[0]) throw new AppError({ ...fileErrors.uploadNotFound, field: name }, { field: name })
    attached[name] = rows[0]
  }
  return { ...values, ...attached }
}
