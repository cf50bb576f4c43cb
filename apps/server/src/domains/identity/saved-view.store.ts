import type { SavedView, saveView } from '@campanile/contract'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Actor } from '../../kit/actor.ts'
import type { Db } from '../../platform/db.ts'
import { toJsonb } from '../../platform/jsonb.ts'

type Owner = Pick<Actor, 'id' | 'department'>
type ViewDraft = Omit<z.output<(typeof saveView)['input']>, 'id'>

/** One's own and what colleagues of the same organisation share; a colleague's default is not one's own. */
export const listViews = async (db: Db, owner: Owner, resource: string): Promise<SavedView[]> => {
  const found =
    await sql<SavedView>`select id, resource, name, state, shared, is_default and user_id = ${owner.id} as "isDefault",
      user_id = ${owner.id} as own
    from saved_view where resource = ${resource}
      and (user_id = ${owner.id} or shared and department_id = ${owner.department.id})
    order by own desc, name, id limit 200`.execute(db)
  return found.rows
}

/** One default a list. */
export const clearDefault = async (db: Db, owner: Owner, resource: string): Promise<void> => {
  await sql`update saved_view set is_default = false where user_id = ${owner.id} and resource = ${resource} and is_default`.execute(
    db,
  )
}

export const countViews = async (db: Db, owner: Owner, resource: string): Promise<number> => {
  const counted = await sql<{ total: number }>`select count(*)::int as total from saved_view
    where user_id = ${owner.id} and resource = ${resource}`.execute(db)
  return counted.rows[0]?.total ?? 0
}

export const insertView = async (db: Db, owner: Owner, view: ViewDraft): Promise<number> => {
  const inserted = await sql<{
    id: number
  }>`insert into saved_view (user_id, department_id, resource, name, state, shared, is_default)
    values (${owner.id}, ${owner.department.id}, ${view.resource}, ${view.name}, ${toJsonb(view.state)}, ${view.shared},
      ${view.isDefault}) returning id`.execute(db)
  return inserted.rows[0]?.id as number
}

/** False when it is not one's own. */
export const updateView = async (db: Db, owner: Owner, id: number, view: ViewDraft): Promise<boolean> => {
  const updated = await sql`update saved_view set name = ${view.name}, state = ${toJsonb(view.state)},
      shared = ${view.shared}, is_default = ${view.isDefault}
    where id = ${id} and user_id = ${owner.id} and resource = ${view.resource} returning 1`.execute(db)
  return updated.rows.length === 1
}

export const deleteView = async (db: Db, owner: Owner, id: number): Promise<boolean> => {
  const deleted = await sql`delete from saved_view where id = ${id} and user_id = ${owner.id} returning 1`.execute(db)
  return deleted.rows.length === 1
}
