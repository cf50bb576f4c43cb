import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Scope } from './actor.ts'
import type { Table } from './table.ts'

/** Whether a scope reaches the department with this path. */
export const reaches = (scope: Pick<Scope, 'everything' | 'paths'>, path: RawBuilder<unknown>): RawBuilder<SqlBool> =>
  scope.everything ? sql`true` : sql`${path} <@ any(${scope.paths}::ltree[])`

const scopeCondition = (table: Table, scope: Scope): RawBuilder<SqlBool> => {
  if (table.reach) return table.reach(scope)
  switch (table.resource.scope) {
    case 'organisation': {
      if (!table.path) throw new Error(`${table.resource.name} is scoped by organisation but has no path`)
      return reaches(scope, table.path)
    }
    case 'self': {
      if (!table.owner) throw new Error(`${table.resource.name} is scoped to its owner but names none`)
      return sql`${table.owner} = ${scope.actorId}`
    }
    default:
      return sql`true`
  }
}

/** The rows a caller may touch at all. */
export const inScope = (table: Table, scope: Scope): RawBuilder<SqlBool> =>
  table.visible ? sql`${scopeCondition(table, scope)} and ${table.visible(scope)}` : scopeCondition(table, scope)
