import type { Resource } from '@campanile/contract'
import { sql } from 'kysely'
import { ofDepartment } from './department.ts'
import { type Binding, byDefault, mount } from './mount.ts'
import type { Kit } from './route.ts'
import { bindTable, storedName, type Table, type TableSpec } from './table.ts'

/** The field that tells who wrote a row; the table keeps their id as `creator_id`. */
const writer = 'creatorName'

export const keepsCreator = (resource: Resource) => writer in resource.fields

/** Names a row shows and another table keeps: of what it refers to, of whoever wrote the row. */
export const joinedNames = (resource: Resource): string[] => [
  ...Object.values(resource.fields).flatMap(({ nameField }) => nameField ?? []),
  ...(keepsCreator(resource) ? [writer] : []),
]

/** A table that is what its declaration says and is called like it; `own` holds what is not. */
export const plainTable = <const R extends Resource>(resource: R, own: Partial<TableSpec> = {}): Table<R> => {
  const place = 'departmentId' in resource.fields ? ofDepartment() : undefined
  return bindTable(resource, {
    name: storedName(resource.name),
    key: [resource.identity],
    keepsCreator: keepsCreator(resource),
    ...place,
    ...own,
    joins: sql.join(
      [
        ...(place ? [place.joins] : []),
        ...(keepsCreator(resource) ? [sql`left join sys_user writer on writer.id = t.creator_id`] : []),
        ...(own.joins ? [own.joins] : []),
      ],
      sql` `,
    ),
    columns: {
      ...place?.columns,
      ...(keepsCreator(resource) && { [writer]: sql`writer.real_name` }),
      ...own.columns,
    },
    filters: { ...place?.filters, ...own.filters },
  })
}

/** Serves a plain resource: every verb is the kit's own, save those given here. */
export const mountPlain = <R extends Resource>(kit: Kit, table: Table<R>, own: Partial<Binding<R>> = {}) => {
  const verbs = Object.fromEntries(Object.keys(table.resource.perms).map((verb) => [verb, byDefault]))
  mount(kit, table, { ...verbs, ...own } as Binding<R>)
}
