import {
  type ReleaseKind,
  type ReleaseKindSpec,
  type Resource,
  release,
  releaseDevice,
  releaseKindSpecs,
  releaseStep,
  resultOfState,
} from '@campanile/contract'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { ofDepartment } from '../../kit/department.ts'
import { bindTable, type Table, type TableSpec } from '../../kit/table.ts'

const place = ofDepartment()
const creator = sql`left join sys_user creator on creator.id = t.creator_id`

/** How often a device is tried by itself. */
const attempts = sql`coalesce((r.options ->> 'retries')::int, 0) + 1`

const asRelease: TableSpec = {
  name: 'release',
  joins: sql`${place.joins} ${creator}`,
  columns: { ...place.columns, number: sql`t.number::text`, creatorName: sql`creator.real_name` },
  filters: {
    ...place.filters,
    number: (asked: string) =>
      /^"?\d{1,15}"?$/.test(asked) ? sql<SqlBool>`t.number = ${asked.replaceAll('"', '')}` : sql`false`,
    sn: (sns: readonly string[]) =>
      sns.length === 0
        ? sql<SqlBool>`true`
        : sql<SqlBool>`exists (select from release_device v where v.release_id = t.id and v.sn = any(${sns}))`,
  },
  path: place.path,
}
export const releaseTable = bindTable(release, asRelease)
/** The releases of one kind, as a list of their own shows them: fields of `releaseFields`, and whatever else its room knows of them. */
export const tableOfKind = <const R extends Resource>(
  resource: R,
  kind: ReleaseKind,
  columns: TableSpec['columns'] = {},
): Table<R> =>
  bindTable(resource, {
    ...asRelease,
    columns: { ...asRelease.columns, ...columns },
    visible: () => sql<SqlBool>`t.kind = ${kind}`,
  })

/** A device stands in the list of its release for whoever reaches the department it stood in then. */
const asReleaseDevice = {
  name: 'release_device',
  joins: sql`${place.joins} join release r on r.id = t.release_id`,
  columns: {
    ...place.columns,
    sn: sql`t.sn`,
    told: sql`(t.told_time is not null or not t.pushed)`,
    attempts,
    urgency: sql`case t.state when 'failed' then 1 when 'pendingRetry' then 2 when 'upgrading' then 3 when 'downloading' then 4
      when 'published' then case when t.told_time is null then 6 else 5 end when 'cancelled' then 7 else 8 end`,
  },
  filters: place.filters,
  path: place.path,
} satisfies TableSpec
export const releaseDeviceTable = bindTable(releaseDevice, asReleaseDevice)

const resultOf = sql`case t.state ${sql.join(
  Object.entries(resultOfState).map(([state, result]) => sql`when ${sql.lit(state)} then ${sql.lit(result)}`),
  sql` `,
)} end`

/** SQL of a text by which releases are of the same thing; the release is `r`. */
export const byItem = sql`r.item_id::text`

/** The devices of all releases of a kind, as a list of their own shows them: with what was said of the kind alone. */
export const devicesOfKind = <const R extends Resource>(
  resource: R,
  kind: ReleaseKind,
  { key = byItem }: { readonly key?: RawBuilder<unknown> } = {},
): Table<R> => {
  const { fields = {} }: ReleaseKindSpec = releaseKindSpecs[kind]
  return bindTable(resource, {
    ...asReleaseDevice,
    joins: sql`${asReleaseDevice.joins} left join sys_user creator on creator.id = r.creator_id`,
    columns: {
      ...asReleaseDevice.columns,
      number: sql`r.number::text`,
      action: sql`r.action`,
      itemKey: key,
      itemName: sql`r.item_name`,
      itemVersion: sql`r.item_version`,
      description: sql`r.description`,
      creatorName: sql`creator.real_name`,
      result: resultOf,
      createTime: sql`r.create_time`,
      ...Object.fromEntries(Object.keys(fields).map((name) => [name, sql`r.given ->> ${sql.lit(name)}`])),
    },
    filters: {
      ...asReleaseDevice.filters,
      itemKey: (asked: string) => sql<SqlBool>`r.kind = ${kind} and ${key} = ${asked}`,
    },
    visible: () => sql<SqlBool>`t.kind = ${kind}`,
  })
}

export const releaseStepTable = bindTable(releaseStep, {
  name: 'release_step',
  joins: sql`${place.joins} ${creator}`,
  columns: { ...place.columns, sn: sql`t.sn`, creatorName: sql`creator.real_name` },
  filters: place.filters,
  path: place.path,
})
