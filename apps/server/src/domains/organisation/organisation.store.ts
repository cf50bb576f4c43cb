import { sql } from 'kysely'
import { covers, type Scope } from '../../kit/actor.ts'
import { translated } from '../../kit/rows.ts'
import type { Db } from '../../platform/db.ts'
import type { Occupant } from './occupants.ts'
import { organisationTable } from './organisation.table.ts'

export interface Spot {
  readonly id: number
  readonly name: string
  readonly type: number
  readonly path: string
  readonly parentId: number | null
}

/** "dept" */
const treeLock = 0x64657074

/**
 * Held to the end of the transaction; take it before the first read. Whoever adds shares it. A move has it alone,
 * because it rewrites the paths of a whole subtree and must see every row of it; so has a removal, because nobody may
 * arrive below what is going.
 */
export const lockTree = async (db: Db, mode: 'shared' | 'alone') => {
  await (mode === 'alone'
    ? sql`select pg_advisory_xact_lock(${treeLock})`
    : sql`select pg_advisory_xact_lock_shared(${treeLock})`
  ).execute(db)
}

/** Where a department stands, and whether the caller's roles reach it. Asked by id alone, so look at `reached` first. */
export const findSpot = async (
  db: Db,
  scope: Scope,
  id: number,
): Promise<(Spot & { reached: boolean }) | undefined> => {
  const { rows } = await sql<Spot>`select id, name, type, path::text as path, parent_id as "parentId" from department
    where id = ${id}`.execute(db)
  const spot = rows[0]
  return spot && { ...spot, reached: covers(scope, spot.path) }
}

export const nextId = async (db: Db): Promise<number> => {
  const { rows } = await sql<{
    id: number
  }>`select nextval(pg_get_serial_sequence('department', 'id')) as id`.execute(db)
  return (rows[0] as { id: number }).id
}

/** Levels of the subtree below a path, itself included. */
export const heightOf = async (db: Db, path: string): Promise<number> => {
  const { rows } = await sql<{ height: number }>`select max(nlevel(path)) - nlevel(${path}::ltree) + 1 as height
    from department where path <@ ${path}::ltree`.execute(db)
  return rows[0]?.height ?? 1
}

/** One statement for the whole subtree: its paths change together or not at all. */
export const moveSubtree = (db: Db, spot: Spot, parent: Spot) =>
  translated(organisationTable, () =>
    sql`update department set
        parent_id = case when id = ${spot.id} then ${parent.id} else parent_id end,
        path = ${parent.path}::ltree || subpath(path, nlevel(${spot.path}::ltree) - 1)
      where path <@ ${spot.path}::ltree`.execute(db),
  )

/** The first of these departments that somebody still stands under although it is not going with them. */
export const findParentLeftBehind = async (db: Db, ids: readonly number[]): Promise<string | undefined> => {
  const { rows } = await sql<{ name: string }>`select name from department t where id = any(${ids})
    and exists (select from department child where child.parent_id = t.id and child.id <> all(${ids})) limit 1`.execute(
    db,
  )
  return rows[0]?.name
}

/** The first of these departments that still holds rows of one of the occupants. */
export const findOccupied = async (
  db: Db,
  occupants: readonly Occupant[],
  ids: readonly number[],
): Promise<string | undefined> => {
  if (occupants.length === 0) return undefined
  const held = occupants.map(
    ({ table }) => sql`exists (select from ${sql.table(table)} held where held.department_id = t.id)`,
  )
  const { rows } = await sql<{ name: string }>`select name from department t
    where id = any(${ids}) and (${sql.join(held, sql` or `)}) limit 1`.execute(db)
  return rows[0]?.name
}
