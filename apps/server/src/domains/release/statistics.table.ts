import { openDeviceStates, type ReleaseKind, type Resource, spanOf } from '@campanile/contract'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { reaches } from '../../kit/scope.ts'
import { bindTable, type Table } from '../../kit/table.ts'
import { byItem } from './release.table.ts'

type Expression = RawBuilder<unknown>

/** What the releases of a kind are told apart by when they are counted; the release is `r`. */
export interface CountedBy {
  /** SQL of a text. Releases with the same one are of the same thing. */
  readonly key?: Expression
  /** The actions that count; all of them unless some are named. */
  readonly actions?: readonly string[]
  /** SQL of further fields, the same for all that has one key. */
  readonly columns?: Readonly<Record<string, Expression>>
}

/**
 * What became of each thing of a kind, with fields of `releaseStatisticFields`. Counted from the devices themselves, so that
 * it agrees with the list of them whatever is going on: first each release by itself, which an index answers, then their sums.
 */
export const statisticTableOf = <const R extends Resource>(
  resource: R,
  kind: ReleaseKind,
  { key = byItem, actions, columns = {} }: CountedBy = {},
): Table<R> => {
  const [start = '', end = ''] = spanOf(resource, 'createTime') ?? []
  const also = Object.entries(columns)
  return bindTable(resource, {
    name: 'release',
    // What is out of reach is not counted, so nothing of it is left to be hidden.
    reach: () => sql<SqlBool>`true`,
    gathered: (scope, filters) => {
      const counted = [
        sql<SqlBool>`r.kind = ${kind}`,
        ...(actions ? [sql<SqlBool>`r.action = any(${actions})`] : []),
        ...(filters[start] === undefined ? [] : [sql<SqlBool>`r.create_time >= ${filters[start]}`]),
        ...(filters[end] === undefined ? [] : [sql<SqlBool>`r.create_time < ${filters[end]}`]),
      ]
      const reached = scope.everything
        ? sql`true`
        : sql`v.department_id in (select d.id from department d where ${reaches(scope, sql`d.path`)})`
      const newest = (value: Expression) => sql`(array_agg(${value} order by create_time desc, id desc))[1]`
      return sql`select min(item_id) as id, key as item_key, ${newest(sql`item_name`)} as item_name,
          ${newest(sql`item_version`)} as item_version, count(distinct item_version) as versions, count(*) as releases,
          sum(total)::bigint as total, sum(succeeded)::bigint as succeeded, sum(failed)::bigint as failed,
          sum(pending)::bigint as pending, sum(cancelled)::bigint as cancelled,
          round(100.0 * sum(succeeded) / nullif(sum(succeeded) + sum(failed), 0), 1) as rate, max(create_time) as create_time
          ${sql.join(
            also.map(([name]) => sql`, ${newest(sql.ref(name))} as ${sql.ref(name)}`),
            sql``,
          )}
        from (select r.id, r.item_id, r.item_name, r.item_version, r.create_time, ${key} as key, n.*
            ${sql.join(
              also.map(([name, value]) => sql`, ${value} as ${sql.ref(name)}`),
              sql``,
            )}
          from release r cross join lateral (select count(*) as total,
              count(*) filter (where v.state = 'succeeded') as succeeded, count(*) filter (where v.state = 'failed') as failed,
              count(*) filter (where v.state = any(${openDeviceStates})) as pending,
              count(*) filter (where v.state = 'cancelled') as cancelled
            from release_device v where v.release_id = r.id and ${reached}) n
          where ${sql.join(counted, sql` and `)} and n.total > 0) each
        group by key`
    },
  })
}
