import type { Favourite } from '@campanile/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import type { Owner } from './saved-view.store.ts'

/** In the order in which they were added. */
export const listFavourites = async (db: Db, userId: number): Promise<Favourite[]> =>
  (
    await sql<Favourite>`select id, page as path, title from favourite where user_id = ${userId} order by create_time, id`.execute(
      db,
    )
  ).rows

export const countFavourites = async (db: Db, userId: number): Promise<number> =>
  (await sql<{ total: number }>`select count(*)::int as total from favourite where user_id = ${userId}`.execute(db))
    .rows[0]?.total ?? 0

/** A page has one star, however often it is given. */
export const insertFavourite = async (
  db: Db,
  userId: number,
  { path, title = null }: { path: string; title?: string | null | undefined },
): Promise<number> =>
  (
    await sql<{ id: number }>`insert into favourite (user_id, page, title) values (${userId}, ${path}, ${title})
      on conflict (user_id, page) do update set title = excluded.title returning id`.execute(db)
  ).rows[0]?.id as number

export const deleteFavourite = async (db: Db, userId: number, id: number): Promise<boolean> =>
  (await sql`delete from favourite where id = ${id} and user_id = ${userId} returning id`.execute(db)).rows.length > 0

/** Every view of these lists that the person finds in their menus. */
export const listViewsOf = async (
  db: Db,
  owner: Owner,
  resources: readonly string[],
): Promise<{ id: number; resource: string; name: string; search: string }[]> =>
  (
    await sql<{ id: number; resource: string; name: string; search: string }>`select id, resource, name,
      state->>'search' as search from saved_view v where resource = any(${resources})
      and (user_id = ${owner.id} or shared and department_id = ${owner.department.id})
    order by (user_id = ${owner.id}) desc, name, id limit 200`.execute(db)
  ).rows
