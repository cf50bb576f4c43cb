import { type RawBuilder, sql } from 'kysely'

/**
 * A table whose rows live in departments (column `department_id`). A department that holds any cannot be removed, and
 * its screens count them: by `department_held`, which the table's triggers keep (see `count_held` in the migration).
 * Rooms that come later are named where everything is wired, so this room need not know them.
 */
export interface Occupant {
  readonly kind: HeldKind
  readonly table: string
}
export type HeldKind = 'device' | 'person'

/** How many of a kind stand in the subtree below a path: paths hold numbers, so `z` comes after all that begin with one. */
export const countUnder = (kind: HeldKind, path: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`(select coalesce(sum(held.total), 0)::bigint from department_held held
    where held.kind = ${sql.lit(kind)} and held.path >= ${path} and held.path < ${path} || 'z')`
