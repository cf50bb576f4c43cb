import { type RawBuilder, sql } from 'kysely'

/**
 * A table whose rows live in departments (column `department_id`). A department that holds any cannot be removed, and
 * its screens count them: by `department_below`, which the table's triggers keep (see `count_below` in the migration).
 * Rooms that come later are named where everything is wired, so this room need not know them.
 */
export interface Occupant {
  readonly kind: HeldKind
  readonly table: string
}
export type HeldKind = 'device' | 'person'

/** How many of a kind stand in the subtree of a department. */
export const countUnder = (kind: HeldKind, id: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`(select coalesce(sum(below.total), 0)::bigint from department_below below
    where below.kind = ${sql.lit(kind)} and below.department_id = ${id})`
