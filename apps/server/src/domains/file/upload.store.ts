import type { ContentKind, UploadPurposeName } from '@campanile/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db.ts'

/** An upload as it lies in the database. */
export interface Upload {
  readonly id: number
  readonly enterpriseId: number | null
  readonly purpose: UploadPurposeName
  readonly name: string
  readonly size: number
  readonly sha256: string
  readonly partBytes: number
  readonly key: string
  readonly received: number[]
  readonly state: 'uploading' | 'complete'
  readonly instant: boolean
  readonly contentId: number | null
}

/** Bytes an enterprise has. */
export interface Content {
  readonly id: number
  readonly enterpriseId: number | null
  readonly size: number
  readonly sha256: string
  readonly partBytes: number
  readonly key: string
  readonly kind: ContentKind | null
}

const hex = (column: RawBuilder<unknown>) => sql`encode(${column}, 'hex')`
const bytes = (digest: string) => Buffer.from(digest, 'hex')
const uploadColumns = sql`u.id, u.enterprise_id as "enterpriseId", u.purpose, u.name, u.size,
  ${hex(sql`u.sha_256`)} as sha256, u.part_bytes as "partBytes", u.stored_as as key,
  array(select p from unnest(u.received) p order by p) as received, u.state, u.instant, u.content_id as "contentId"`
const contentColumns = sql`c.id, c.enterprise_id as "enterpriseId", c.size, ${hex(sql`c.sha_256`)} as sha256,
  c.part_bytes as "partBytes", c.stored_as as key, c.kind`

/** The enterprise a place belongs to, or what stands for one. */
export const enterpriseAt = async (db: Db, path: string): Promise<number> => {
  const { rows } = await sql<{ id: number }>`
    select subpath(enterprise_path(${path}::ltree), -1)::text::bigint as id`.execute(db)
  return rows[0]?.id as number
}
export const enterpriseOfDepartment = async (db: Db, departmentId: number): Promise<number | undefined> => {
  const { rows } = await sql<{ id: number }>`
    select subpath(enterprise_path(path), -1)::text::bigint as id from department where id = ${departmentId}`.execute(
    db,
  )
  return rows[0]?.id
}

/** What is begun in an enterprise at the same time is counted one after the other. */
export const lockEnterprise = (tx: Db, enterpriseId: number) =>
  sql`select pg_advisory_xact_lock(hashtext('upload'), hashtext(${String(enterpriseId)}))`.execute(tx)

export const findUpload = async (db: Db, creatorId: number, id: number): Promise<Upload | undefined> =>
  (
    await sql<Upload>`select ${uploadColumns} from upload u where u.id = ${id} and u.creator_id = ${creatorId}`.execute(
      db,
    )
  ).rows[0]

export const lockUpload = async (tx: Db, creatorId: number, id: number): Promise<Upload | undefined> =>
  (
    await sql<Upload>`select ${uploadColumns} from upload u where u.id = ${id} and u.creator_id = ${creatorId}
      for update`.execute(tx)
  ).rows[0]

export const findPending = async (db: Db, creatorId: number): Promise<Upload[]> =>
  (
    await sql<Upload>`select ${uploadColumns} from upload u
      where u.creator_id = ${creatorId} and u.state = 'uploading' order by u.id`.execute(db)
  ).rows

interface Announced {
  readonly creatorId: number
  readonly enterpriseId: number
  readonly purpose: UploadPurposeName
  readonly name: string
  readonly size: number
  readonly sha256: string
}

/** The same file of the same person that is still under way, under the name it has now. */
export const resumeUpload = async (tx: Db, { creatorId, enterpriseId, purpose, name, size, sha256 }: Announced) =>
  (
    await sql<Upload>`update upload u set touched_time = now(), name = ${name}
      where u.creator_id = ${creatorId} and u.enterprise_id = ${enterpriseId} and u.purpose = ${purpose}
        and u.size = ${size} and u.sha_256 = ${bytes(sha256)} and u.state = 'uploading'
      returning ${uploadColumns}`.execute(tx)
  ).rows[0]

export const insertUpload = async (
  tx: Db,
  announced: Announced,
  { key, partBytes, contentId = null }: { key: string; partBytes: number; contentId?: number | null },
): Promise<Upload> => {
  const { creatorId, enterpriseId, purpose, name, size, sha256 } = announced
  const { rows } = await sql<Upload>`insert into upload as u
      (creator_id, enterprise_id, purpose, name, size, sha_256, part_bytes, stored_as, state, instant, content_id)
    values (${creatorId}, ${enterpriseId}, ${purpose}, ${name}, ${size}, ${bytes(sha256)}, ${partBytes}, ${key},
      ${contentId === null ? 'uploading' : 'complete'}, ${contentId !== null}, ${contentId})
    returning ${uploadColumns}`.execute(tx)
  return rows[0] as Upload
}

/** Kept from being removed until the transaction is over. */
export const holdContent = async (tx: Db, enterpriseId: number, sha256: string): Promise<Content | undefined> =>
  (
    await sql<Content>`select ${contentColumns} from content c
      where c.enterprise_id = ${enterpriseId} and c.sha_256 = ${bytes(sha256)} for key share`.execute(tx)
  ).rows[0]

export const findContent = async (db: Db, id: number): Promise<Content | undefined> =>
  (await sql<Content>`select ${contentColumns} from content c where c.id = ${id}`.execute(db)).rows[0]

/** What an enterprise has, and what it is being sent. */
export const weighEnterprise = async (tx: Db, enterpriseId: number): Promise<number> =>
  (
    await sql<{ bytes: number }>`select (
        coalesce((select sum(size) from content where enterprise_id = ${enterpriseId}), 0)
        + coalesce((select sum(size) from upload where enterprise_id = ${enterpriseId} and state = 'uploading'), 0)
      )::bigint as bytes`.execute(tx)
  ).rows[0]?.bytes ?? 0

/** Answers the parts that have arrived; nothing when the upload is over or gone. */
export const addPart = async (tx: Db, creatorId: number, id: number, part: number): Promise<number[] | undefined> =>
  (
    await sql<Upload>`update upload u set touched_time = now(),
        received = case when ${part} = any(u.received) then u.received else u.received || ${part}::integer end
      where u.id = ${id} and u.creator_id = ${creatorId} and u.state = 'uploading' returning ${uploadColumns}`.execute(
      tx,
    )
  ).rows[0]?.received

/** A part that was counted and is not there: lost with the power, say. */
export const forgetPart = (db: Db, id: number, part: number) =>
  sql`update upload set received = array_remove(received, ${part}::integer) where id = ${id}`.execute(db)

/** The content these bytes are, theirs where they are new to the enterprise. */
export const keepContent = async (
  tx: Db,
  enterpriseId: number,
  { sha256, size, partBytes, key, kind }: Pick<Content, 'sha256' | 'size' | 'partBytes' | 'key' | 'kind'>,
): Promise<Content> => {
  const { rows } =
    await sql<Content>`insert into content as c (enterprise_id, sha_256, size, part_bytes, stored_as, kind)
    values (${enterpriseId}, ${bytes(sha256)}, ${size}, ${partBytes}, ${key}, ${kind})
    on conflict (enterprise_id, sha_256) do nothing returning ${contentColumns}`.execute(tx)
  return rows[0] ?? ((await holdContent(tx, enterpriseId, sha256)) as Content)
}

export const completeUpload = async (tx: Db, id: number, { id: contentId, key }: Pick<Content, 'id' | 'key'>) =>
  (
    await sql<Upload>`update upload u set state = 'complete', content_id = ${contentId}, stored_as = ${key},
        touched_time = now() where u.id = ${id} returning ${uploadColumns}`.execute(tx)
  ).rows[0] as Upload

export const deleteUpload = (tx: Db, id: number) => sql`delete from upload where id = ${id}`.execute(tx)

/** Its bytes are removed soon after (`takeDiscarded`). */
export const discard = (tx: Db, keys: readonly string[]) =>
  sql`insert into discarded_content (stored_as) select unnest(${keys}::text[]) on conflict do nothing`.execute(tx)

/** Keys whose bytes may go: nobody names them any more. */
export const findDiscarded = async (db: Db): Promise<string[]> =>
  (
    await sql<{ key: string }>`select g.stored_as as key from discarded_content g
      where not exists (select from content c where c.stored_as = g.stored_as)
        and not exists (select from upload u where u.stored_as = g.stored_as) order by g.create_time limit 100`.execute(
      db,
    )
  ).rows.map(({ key }) => key)
/** Those of these keys that no row names: begun in a transaction that came to nothing. */
export const findUnnamed = async (db: Db, keys: readonly string[]): Promise<string[]> =>
  (
    await sql<{ key: string }>`select k.key from unnest(${keys}::text[]) k(key)
      where not exists (select from content c where c.stored_as = k.key)
        and not exists (select from upload u where u.stored_as = k.key)`.execute(db)
  ).rows.map(({ key }) => key)
export const forgetDiscarded = (db: Db, keys: readonly string[]) =>
  sql`delete from discarded_content where stored_as = any(${keys})`.execute(db)

/** A few at a time: nobody has touched them for so long, or nobody is left to. Answers how many. */
export const dropUntouched = async (tx: Db, hours: number): Promise<number> => {
  const { rows } = await sql<{ key: string; state: Upload['state'] }>`delete from upload where id in (
      select id from upload where touched_time < now() - ${hours} * interval '1 hour' or creator_id is null
      order by id limit 100 for update skip locked) returning stored_as as key, state`.execute(tx)
  // What is complete is a content's.
  const own = rows.filter(({ state }) => state === 'uploading').map(({ key }) => key)
  if (own.length > 0) await discard(tx, own)
  return rows.length
}

/** Whatever refers to a content keeps it; the database itself knows what does. */
const holdersOf = async (db: Db) =>
  (
    await sql<{ table: string; column: string }>`select k.conrelid::regclass::text as table, a.attname as column
      from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
      where k.contype = 'f' and k.confrelid = 'content'::regclass and k.conparentid = 0 order by 1, 2`.execute(db)
  ).rows

/** A few at a time: contents that no row names, unless they came a moment ago. Answers how many. */
export const dropUnused = async (tx: Db, hours: number): Promise<number> => {
  const held = (await holdersOf(tx)).map(
    ({ table, column }) => sql`and not exists (select from ${sql.table(table)} h where h.${sql.ref(column)} = c.id)`,
  )
  const { rows } = await sql<{ key: string }>`delete from content where id in (
      select c.id from content c where (c.create_time < now() - ${hours} * interval '1 hour' or c.enterprise_id is null)
        ${sql.join(held, sql` `)} order by c.id limit 100 for update skip locked) returning stored_as as key`.execute(
    tx,
  )
  if (rows.length > 0)
    await discard(
      tx,
      rows.map(({ key }) => key),
    )
  return rows.length
}
