import { AppError, commonErrors, type Options, type optionsSchema } from '@campanile/contract'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../platform/db.ts'
import type { Scope } from './actor.ts'
import type { Resolver } from './import/check.ts'
import { textCondition } from './kinds.ts'
import { inScope } from './scope.ts'
import { boundTable, column, source, type Table } from './table.ts'

const idsOf = (value: unknown): number[] =>
  (Array.isArray(value) ? value : [value]).filter((id): id is number => typeof id === 'number')

/** What a row refers to is shown with it, so it is chosen among what its writer reaches. */
export const mustReachTargets = async (
  db: Db,
  table: Table,
  scope: Scope,
  values: Readonly<Record<string, unknown>>,
) => {
  const wanted = new Map<string, Set<number>>()
  for (const [name, { target }] of Object.entries(table.resource.fields)) {
    // The place of a row itself is checked when it is written.
    if (!target || (name === 'departmentId' && table.path)) continue
    const ids = wanted.get(target().name) ?? new Set()
    for (const id of idsOf(values[name])) ids.add(id)
    wanted.set(target().name, ids)
  }
  for (const [name, ids] of wanted) {
    if (ids.size === 0) continue
    const target = boundTable(name)
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${source(target)}
      where t.id = any(${[...ids]}) and ${inScope(target, scope)}`.execute(db)
    if (rows[0]?.n !== ids.size) throw new AppError(commonErrors.noPermission)
  }
}

/** What a picker shows: rows within reach, by name. */
export const listOptions = async (
  db: Db,
  table: Table,
  scope: Scope,
  { search = '', ids, page, pageSize }: z.output<typeof optionsSchema>,
): Promise<Options> => {
  const name = column(table, table.resource.label, scope)
  const where = sql.join(
    [
      inScope(table, scope),
      ...(search === '' ? [] : [textCondition(sql`(${name})::text`, search)]),
      ...(ids ? [sql`t.id = any(${ids})`] : []),
    ],
    sql` and `,
  )
  const { rows } = await sql<Options['rows'][number]>`select t.id, (${name})::text as name from ${source(table)}
    where ${where} order by 2, 1 limit ${pageSize} offset ${(page - 1) * pageSize}`.execute(db)
  const counted = await sql<{ total: number }>`select count(*) as total from ${source(table)} where ${where}`.execute(
    db,
  )
  return { rows, total: counted.rows[0]?.total ?? 0 }
}

type Named = { id: number; name: string }

/** Written exactly so, or else however it is written. */
const meant = (rows: readonly Named[], name: string): number | 'ambiguous' | undefined => {
  const exact = rows.filter((row) => row.name === name)
  const [found, second] = exact.length > 0 ? exact : rows.filter((row) => row.name.toLowerCase() === name.toLowerCase())
  return second ? 'ambiguous' : found?.id
}

/** Rows found by the identity people know them by, or else by the name that pickers show: a person by the real name too. */
export const byIdentity =
  (table: Table): Resolver =>
  async (db, scope, asked) => {
    const named = async (field: string, names: readonly string[]): Promise<Named[]> => {
      if (names.length === 0) return []
      const { rows } = await sql<Named>`select t.id, (${column(table, field, scope)})::text as name
        from ${source(table)} where lower((${column(table, field, scope)})::text) = any(${names})
          and ${inScope(table, scope)}`.execute(db)
      return rows
    }
    const names = [...new Set(asked.map(({ name }) => name.toLowerCase()))]
    const { identity, label } = table.resource
    const byId = await named(identity, names)
    const known = new Set(byId.map(({ name }) => name.toLowerCase()))
    const byLabel =
      label === identity
        ? []
        : await named(
            label,
            names.filter((name) => !known.has(name)),
          )
    return asked.map(({ name }) => meant(byId, name) ?? meant(byLabel, name))
  }
