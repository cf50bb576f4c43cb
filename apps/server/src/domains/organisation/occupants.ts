/**
 * A table whose rows live in departments (column `department_id`). A department that holds any cannot be removed, and
 * its screens count them: by `department_below`, which the table's triggers keep (see `count_below` in the migration).
 * Rooms that come later say so through this room's door, so it need not know them.
 */
export interface Occupant {
  readonly kind: 'device' | 'person'
  readonly table: string
}
