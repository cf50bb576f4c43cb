import { type RawBuilder, sql } from 'kysely'

/**
 * A table whose rows live in departments (column `department_id`). A department that holds any cannot be removed, and
 * its screens count them. Rooms that come later are named where everything is wired, so this room need not know them.
 */
export interface Occupant {
  readonly kind: 'device' | 'person'
  readonly table: string
}

const none = sql<number>`0`

/** How many of a kind stand in the subtree below a path. */
export const countUnder = (
  occupants: readonly Occupant[],
  kind: Occupant['kind'],
  path: RawBuilder<unknown>,
): RawBuilder<number> => {
  const counts = occupants
    .filter((occupant) => occupant.kind === kind)
    .map(
      ({ table }) => sql<number>`(select count(*) from department place join ${sql.table(table)} held
        on held.department_id = place.id where place.path <@ ${path})`,
    )
  return counts.length === 0 ? none : sql<number>`${sql.join(counts, sql` + `)}`
}
