import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { AppError, commonErrors, contentKinds, type Field, type FileValue, fileErrors } from '@campanile/contract'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { contentKind } from '../../platform/content-kind.ts'
import type { Db } from '../../platform/db.ts'
import { RawAnswer } from '../answer.ts'
import type { Call } from '../call.ts'
import { attachment } from '../export/download.ts'
import type { LongWorkDeps } from '../long-work-deps.ts'
import { inScope } from '../scope.ts'
import { columnOf, source, type Table } from '../table.ts'

const hourMs = 3_600_000
/** Somebody may leave a form open over night. */
const keptUnheld = sql`interval '1 day'`

/** Who keeps files: a field of a resource, or of something else that has a name. */
interface Owner {
  readonly resource: string
  readonly field: string
  /** Whether somebody holds the file `f`. */
  readonly held: RawBuilder<SqlBool>
}

interface Received {
  readonly id: number
  readonly key: string
}

/** Files of rows: taken in before the row is saved, fetched with it, removed when no row holds them. */
export const createStoredFiles = ({ db, files, jobs }: Pick<LongWorkDeps, 'db' | 'files' | 'jobs'>) => {
  const owners: Owner[] = []

  /** How a field's files are received. Nothing is in a transaction yet. */
  const upload = (resource: string, name: string, { maxBytes = 0, accepts = [] }: Field) => ({
    maxBytes,
    read: async (bytes: Buffer): Promise<Received> => {
      const kind = contentKind(bytes)
      if (!kind || !accepts.includes(kind))
        throw new AppError({ ...commonErrors.wrongFormat, field: name }, { field: name, accepts: accepts.join(', ') })
      const key = files.newKey()
      const { rows } = await sql<{ id: number }>`insert into stored_file (stored_as, resource, field, type, size)
        values (${key}, ${resource}, ${name}, ${contentKinds[kind].type}, ${bytes.length}) returning id`.execute(db)
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

  /** A file that a room has found or made itself, for a row it writes in the same transaction. */
  const make = async (on: Db, owner: Pick<Owner, 'resource' | 'field'>, name: string, bytes: Buffer) => {
    const kind = contentKind(bytes)
    if (!kind) return null
    const key = files.newKey()
    const { rows } = await sql<{ id: number }>`insert into stored_file (stored_as, resource, field, type, size, name)
      values (${key}, ${owner.resource}, ${owner.field}, ${contentKinds[kind].type}, ${bytes.length}, ${name})
      returning id`.execute(on)
    await files.put(Readable.from([bytes]), { maxBytes: bytes.length, key })
    return { id: rows[0]?.id as number }
  }

  /** What was sent for a field, for the room that looks at it before it keeps the row. */
  const read = async (on: Db, owner: Pick<Owner, 'resource' | 'field'>, id: number): Promise<Buffer> => {
    const { rows } = await sql<{ key: string }>`select stored_as as key from stored_file
      where id = ${id} and resource = ${owner.resource} and field = ${owner.field}`.execute(on)
    const [file] = rows
    if (!file) throw new AppError({ ...fileErrors.uploadNotFound, field: owner.field }, { field: owner.field })
    return buffer((await files.read(file.key)).stream)
  }

  /** A file, for whom its owner lets see it. */
  const open = async (
    on: Db,
    id: number,
    { kind }: Pick<Field, 'kind'>,
    headers: Readonly<Record<string, string>> = {},
  ) => {
    const { rows } = await sql<{ key: string; name: string; type: string }>`
      select stored_as as key, name, type from stored_file where id = ${id}`.execute(on)
    const [file] = rows
    if (!file) throw new AppError(fileErrors.uploadNotFound)
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
        .headers(headers)
        .send(stored.stream),
    )
  }

  /** The file of a row, for whoever sees the row. */
  const fetch = async (table: Table, name: string, field: Field, call: Call<{ id: number }>) => {
    const { rows } = await sql<{ id: number; name: string }>`
      select f.id, f.name from ${source(table)} join stored_file f on f.id = ${columnOf(name)}
      where t.id = ${call.input.id} and ${inScope(table, call.scope)}`.execute(call.db)
    const [file] = rows
    if (!file) throw new AppError(commonErrors.resourceNotFound, { id: call.input.id })
    call.note({ description: file.name })
    return open(call.db, file.id, field)
  }

  /** Pictures of a version that did not write down what they are. One whose bytes are gone is no file any more. */
  const describeStored = async () => {
    const { rows } = await sql<{ id: number; key: string }>`select id, stored_as as key from stored_file
      where type = ''`.execute(db)
    for (const { id, key } of rows) {
      const bytes = await files.read(key).then(
        ({ stream }) => buffer(stream),
        () => Buffer.alloc(0),
      )
      const kind = contentKind(bytes)
      if (!kind) await sql`delete from stored_file where id = ${id}`.execute(db)
      else
        await sql`update stored_file set type = ${contentKinds[kind].type}, size = ${bytes.length}
          where id = ${id}`.execute(db)
    }
  }

  /** A few at a time; files of a field that is gone are held by nobody. */
  const takeUnheld = async (tx: Db, resource: string, field: string): Promise<string[]> => {
    const owner = owners.find((each) => each.resource === resource && each.field === field)
    const held = owner?.held ?? sql`false`
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
    /** Says who holds files of a field; what nobody holds is removed. */
    keptBy: (owner: Owner) => void owners.push(owner),
    upload,
    keep,
    make,
    read,
    open,
    fetch,
    describeStored,
    removeUnheld,
  }
}
