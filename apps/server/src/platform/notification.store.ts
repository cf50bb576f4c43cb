import type { Notification, notifications } from '@campanile/contract'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from './db.ts'
import { toJsonb } from './jsonb.ts'
import { type Language, textOf } from './texts.ts'

export interface News {
  readonly type: Notification['type']
  /** Names the texts `notification.<word>.title` and `.text`. */
  readonly word: string
  readonly data?: Readonly<Record<string, string | number>>
  /** Values that are words of ours: by the keys of their texts, so that each reader gets them in their own language. */
  readonly texts?: Readonly<Record<string, string>>
  /** Where in the console it leads. */
  readonly link?: string
  /** A file that it is about, and how long it is kept. */
  readonly file?: Notification['file']
}

/** Whoever is no longer there is not told. */
export const insertNotifications = async (db: Db, userIds: readonly number[], news: News): Promise<void> => {
  await sql`insert into notification (user_id, type, title, data, link)
    select u.id, ${news.type}, ${news.word}, ${toJsonb({ ...news.data, ...(news.texts && { texts: news.texts }), ...(news.file && { file: news.file }) })}::jsonb,
      ${news.link ?? null} from sys_user u where u.id = any(${userIds})`.execute(db)
}

type Stored = Omit<Notification, 'title' | 'text' | 'file'> & {
  readonly word: string
  readonly data: Record<string, unknown>
}

/** Figures are written as the language writes them: 12,345. */
const inWords = ({ texts, file: _, ...data }: Stored['data'], language: Language) => ({
  ...Object.fromEntries(
    Object.entries(data).map(([name, value]) => [
      name,
      typeof value === 'number' ? new Intl.NumberFormat(language).format(value) : value,
    ]),
  ),
  ...Object.fromEntries(Object.entries(texts ?? {}).map(([name, key]) => [name, textOf(String(key), language)])),
})

/** A notice of rows or devices speaks of one or of many by how many they are. */
const countOf = ({ count, rows, total }: Record<string, unknown>): unknown => count ?? rows ?? total

export const listNotifications = async (
  db: Db,
  userId: number,
  { page, pageSize, unread, type }: z.output<(typeof notifications)['input']>,
  language: Language,
): Promise<{ rows: Notification[]; total: number; unread: number }> => {
  const where = sql`user_id = ${userId} and (${type ?? null}::text is null or type = ${type ?? null})
    and (${unread !== 'true'} or not read)`
  const [rows, counted] = await Promise.all([
    sql<Stored>`select id, type, title as word, data, link, read, create_time as "createTime" from notification
      where ${where} order by create_time desc, id desc limit ${pageSize} offset ${(page - 1) * pageSize}`.execute(db),
    sql<{ total: number; unread: number }>`select count(*) filter (where ${where})::int as total,
      count(*) filter (where not read)::int as unread from notification where user_id = ${userId}`.execute(db),
  ])
  return {
    rows: rows.rows.map(({ word, data, ...row }) => {
      const told = inWords(data, language)
      return {
        ...row,
        file: (data.file as Notification['file'] | undefined) ?? null,
        title: textOf(`notification.${word}.title`, language, told),
        text: textOf(`notification.${word}.text`, language, told, countOf(data)),
      }
    }),
    total: counted.rows[0]?.total ?? 0,
    unread: counted.rows[0]?.unread ?? 0,
  }
}

/** Without ids all of them. */
const chosen = (userId: number, ids: readonly number[] | undefined) =>
  sql`user_id = ${userId} and (${ids === undefined} or id = any(${ids ?? []}))`

export const markRead = async (db: Db, userId: number, ids: readonly number[] | undefined): Promise<void> => {
  await sql`update notification set read = true where ${chosen(userId, ids)} and not read`.execute(db)
}

/** Answers how many of them were alerts. */
export const deleteNotifications = async (
  db: Db,
  userId: number,
  ids: readonly number[] | undefined,
): Promise<number> => {
  const { rows } = await sql<{
    type: string
  }>`delete from notification where ${chosen(userId, ids)} returning type`.execute(db)
  return rows.filter(({ type }) => type === 'alert').length
}
