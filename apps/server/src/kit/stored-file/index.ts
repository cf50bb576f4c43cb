import { Readable } from 'node:stream'
import { AppError, commonErrors, contentKinds, type Field, type FileValue, fileErrors } from '@campanile/contract'
import { sql } from 'kysely'
import { contentKind } from '../../platform/content-kind.ts'
import type { Db } from '../../platform/db.ts'
import { RawAnswer } from '../answer.ts'
import type { Call } from '../call.ts'
import { attachment } from '../export/download.ts'
import type { LongWorkDeps } from '../long-work-deps.ts'
import { inScope } from '../scope.ts'
import { columnOf, source, storedName, type Table } from '../table.ts'
import { touchRows } from '../touched.ts'

const hourMs = 3_600_000
/** Somebody may leave a form open over night. */
const keptUnheld = sql`interval '1 day'`

interface Received {
  readonly id: number
  readonly key: string
}

/** Files of rows: taken in before the row is saved, fetched with it, removed when no row holds them. */
export const createStoredFiles = ({ db, files, jobs }: Pick<LongWorkDeps, 'db' | 'files' | 'jobs'>) => {
  const bound: { readonly table: Table; readonly name: string }[] = []

  /** How a field's files are received. Nothing is in a transaction yet. */
  const upload = ({ resource }: Table, name: string, { maxBytes = 0, accepts = [] }: Field) => ({
    maxBytes,
    read: async (bytes: Buffer): Promise<Received> => {
      const kind = contentKind(bytes)
      if (!kind || !accepts.includes(kind))
        throw new AppError({ ...commonErrors.wrongFormat, field: name }, { field: name, accepts: accepts.join(', ') })
      const key = files.newKey()
      const { rows } = await sql<{ id: number }>`insert into stored_file (stored_as, resource, field, type, size)
        values (${key}, ${resource.name}, ${name}, ${contentKinds[kind].type}, ${bytes.length}) returning id`.execute(
        db,
      )
      await files.put(Readable.from([bytes]), { maxBytes, key })
      return { id: rows[0]?.id as number, key }
    },
    discard: ({ key }: Received) => files.remove(key),
  })

  /** It has come in whole: from here on its sender may give it to a row. */
  const keep = async (call: Call<{ name: string }>, { id }: Received): Promise<FileValue> => {
    call.note({ description: call.input.name })
    const { rows } =
      await sql<FileValue>`update stored_file set name = ${call.input.name}, creator_id = ${call.actor.id}
      where id = ${id} returning id, name, size, type`.execute(call.db)
    return rows[0] as FileValue
  }

  /** The file of a row, for whoever sees the row. */
  const fetch = async (table: Table, name: string, { kind }: Field, call: Call<{ id: number }>) => {
    const { rows } = await sql<{ key: string; name: string; type: string }>`
      select f.stored_as as key, f.name, f.type from ${source(table)} join stored_file f on f.id = ${columnOf(name)}
      where t.id = ${call.input.id} and ${inScope(table, call.scope)}`.execute(call.db)
    const [file] = rows
    if (!file) throw new AppError(commonErrors.resourceNotFound, { id: call.input.id })
    call.note({ description: file.name })
    await touchRows(call, table, [call.input.id])
    const stored = await files.read(file.key).catch(() => {
      throw new AppError(fileErrors.uploadNotFound)
    })
    if (kind === 'file') return new RawAnswer((reply) => attachment(reply, file.name, stored))
    return new RawAnswer((reply) =>
      reply
        .header('content-type', file.type)
        .header('content-length', stored.size)
        .header('x-content-type-options', 'nosniff')
        .header('content-security-policy', "sandbox; default-src 'none'")
        .send(stored.stream),
    )
  }

  /** A few at a time; files of a field that is gone are held by nobody. */
  const takeUnheld = async (tx: Db, resource: string, field: string): Promise<string[]> => {
    const table = bound.find((each) => each.table.resource.name === resource && each.name === field)?.table
    const held = table
      ? sql`exists (select from ${sql.table(table.name)} t where ${sql.ref(`t.${storedName(field)}`)} = f.id)`
      : sql`false`
    const { rows } = await sql<{ key: string }>`delete from stored_file where id in (
        select f.id from stored_file f where f.resource = ${resource} and f.field = ${field}
          and f.create_time < now() - ${keptUnheld} and not ${held} order by f.id limit 100 for update skip locked)
      returning stored_as as key`.execute(tx)
    return rows.map(({ key }) => key)
  }

  const removeUnheld = async () => {
    const { rows } = await sql<{ resource: string; field: string }>`
      select distinct resource, field from stored_file`.execute(db)
    for (const { resource, field } of rows)
      for (
        let keys = await takeUnheld(db, resource, field);
        keys.length > 0;
        keys = await takeUnheld(db, resource, field)
      )
        await Promise.all(keys.map((key) => files.remove(key)))
  }
  jobs.every('removing files that no row holds', hourMs, removeUnheld)

  return {
    bind: (table: Table, name: string) => void bound.push({ table, name }),
    upload,
    keep,
    fetch,
    removeUnheld,
  }
}
