import { type FoundKind, foundRowsMax, type SavedView, type saveView, viewKind } from '@campanile/contract'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Actor } from '../../kit/actor.ts'
import { textCondition } from '../../kit/kinds.ts'
import { reaches } from '../../kit/scope.ts'
import type { Db } from '../../platform/db.ts'
import { toJsonb } from '../../platform/jsonb.ts'

export type Owner = Pick<Actor, 'id' | 'department'>
type ViewDraft = Omit<z.output<(typeof saveView)['input']>, 'id'>

/** A shared view of a department whose people the caller administers. */
const isAdministered = (paths: readonly string[]) =>
  sql<boolean>`(v.shared and exists (select from department d where d.id = v.department_id
    and ${reaches({ everything: false, paths }, sql`d.path`)}))`

/** One's own and what colleagues of the same organisation share; a colleague's default is not one's own. */
export const listViews = async (
  db: Db,
  owner: Owner,
  resource: string,
  adminPaths: readonly string[],
): Promise<SavedView[]> => {
  const found =
    await sql<SavedView>`select id, resource, name, state, shared, is_default and user_id = ${owner.id} as "isDefault",
      user_id = ${owner.id} as own, user_id = ${owner.id} or ${isAdministered(adminPaths)} as removable
    from saved_view v where resource = ${resource}
      and (user_id = ${owner.id} or shared and department_id = ${owner.department.id})
    order by own desc, name, id limit 200`.execute(db)
  return found.rows
}

interface FoundView {
  readonly id: number
  readonly name: string
  readonly resource: string
  readonly search: string
  readonly shared: boolean
  readonly sharedBy: string | null
  readonly total: number
}

/** Views of these lists by a part of their name: one's own, and what colleagues of the same organisation share. */
export const findViews = async (
  db: Db,
  owner: Owner,
  wanted: string,
  lists: readonly string[],
): Promise<FoundKind | undefined> => {
  const { rows } = await sql<FoundView>`select v.id, v.name, v.resource, v.state ->> 'search' as search, v.shared,
      case when v.user_id <> ${owner.id} then u.real_name end as "sharedBy", count(*) over ()::int as total
    from saved_view v join sys_user u on u.id = v.user_id
    where (v.user_id = ${owner.id} or v.shared and v.department_id = ${owner.department.id}) and v.resource = any(${lists})
      and ${textCondition(sql`v.name`, wanted)}
    order by v.user_id = ${owner.id} desc, v.name, v.id limit ${foundRowsMax}`.execute(db)
  const [first] = rows
  if (!first) return undefined
  return {
    kind: viewKind,
    total: first.total,
    more: false,
    fields: [{ field: 'name', total: first.total }],
    rows: rows.map(({ id, name, total: _total, ...tells }) => ({ id, name, field: 'name', value: name, tells })),
  }
}

/** One default a list. */
export const clearDefault = async (db: Db, owner: Owner, resource: string): Promise<void> => {
  await sql`update saved_view set is_default = false where user_id = ${owner.id} and resource = ${resource} and is_default`.execute(
    db,
  )
}

/** Of one's own: for this list, and for all. */
export const countViews = async (
  db: Db,
  owner: Owner,
  resource: string,
): Promise<{ here: number; overall: number }> => {
  const { rows } = await sql<{ here: number; overall: number }>`select count(*)::int as overall,
    count(*) filter (where resource = ${resource})::int as here from saved_view where user_id = ${owner.id}`.execute(db)
  return rows[0] ?? { here: 0, overall: 0 }
}

/** What everybody of the organisation finds in the menu of a list. */
export const countShared = async (db: Db, owner: Owner, resource: string): Promise<number> => {
  const { rows } = await sql<{ total: number }>`select count(*)::int as total from saved_view
    where department_id = ${owner.department.id} and resource = ${resource} and shared`.execute(db)
  return rows[0]?.total ?? 0
}

/** One's own. */
export const findView = async (
  db: Db,
  owner: Owner,
  id: number,
  resource: string,
): Promise<Pick<SavedView, 'name' | 'state' | 'shared'> | undefined> =>
  (
    await sql<Pick<SavedView, 'name' | 'state' | 'shared'>>`select name, state, shared from saved_view
      where id = ${id} and user_id = ${owner.id} and resource = ${resource} for update`.execute(db)
  ).rows[0]

/** Among one's own of the list, and of a shared one among what the organisation shares: two tabs never read the same. */
export const isNameTaken = async (
  db: Db,
  owner: Owner,
  {
    id,
    resource,
    name,
    shared,
  }: Pick<ViewDraft, 'resource' | 'name' | 'shared'> & { readonly id?: number | undefined },
): Promise<boolean> => {
  const { rows } = await sql`select from saved_view
    where resource = ${resource} and lower(name) = lower(${name}) and id is distinct from ${id ?? null}
      and (user_id = ${owner.id} or ${shared} and shared and department_id = ${owner.department.id}) limit 1`.execute(
    db,
  )
  return rows.length > 0
}

export const insertView = async (db: Db, owner: Owner, view: ViewDraft): Promise<number> => {
  const inserted = await sql<{
    id: number
  }>`insert into saved_view (user_id, department_id, resource, name, state, shared, is_default)
    values (${owner.id}, ${owner.department.id}, ${view.resource}, ${view.name}, ${toJsonb(view.state)}, ${view.shared},
      ${view.isDefault}) returning id`.execute(db)
  return inserted.rows[0]?.id as number
}

export const updateView = (db: Db, owner: Owner, id: number, view: ViewDraft) =>
  sql`update saved_view set name = ${view.name}, state = ${toJsonb(view.state)},
      shared = ${view.shared}, is_default = ${view.isDefault}
    where id = ${id} and user_id = ${owner.id}`.execute(db)

/** One's own, or a shared one of people one administers; nothing when it is neither. */
export const deleteView = async (
  db: Db,
  owner: Owner,
  id: number,
  adminPaths: readonly string[],
): Promise<Pick<SavedView, 'resource' | 'name' | 'shared'> | undefined> =>
  (
    await sql<Pick<SavedView, 'resource' | 'name' | 'shared'>>`delete from saved_view v
      where id = ${id} and (user_id = ${owner.id} or ${isAdministered(adminPaths)}) returning resource, name, shared`.execute(
      db,
    )
  ).rows[0]
