import {
  configTemplate,
  type TemplateItem,
  type TemplateSystem,
  templateDevice,
  templateErrors,
  templateItemNames,
  templateItems,
  templateSections,
  wifiWithPassword,
} from '@campanile/contract'
import { type SqlBool, sql } from 'kysely'
import type { Scope } from '../../kit/actor.ts'
import { plainTable } from '../../kit/plain.ts'
import { inScope, reaches } from '../../kit/scope.ts'
import { source, storedName } from '../../kit/table.ts'
import type { Db } from '../../platform/db.ts'
import { toJsonb } from '../../platform/jsonb.ts'
import type { ReleaseItem } from '../release/index.ts'

export type Items = Readonly<Partial<Record<TemplateItem, string | number>>>

/** What of a device's words is a value of an item. */
export const readItems = (told: unknown): Items =>
  Object.fromEntries(
    templateItemNames.flatMap((name) => {
      const value = templateItems[name].schema.safeParse((told as Record<string, unknown> | null)?.[name])
      return value.success ? [[name, value.data]] : []
    }),
  )

const isSame = sql`t.version = template.version and t.held @> template.items`
/** Devices of a template that the asker reaches, and that do not hold it. */
const devicesOf =
  (besides = sql`true`) =>
  (scope: Scope) =>
    sql`(select count(*) from template_device v join department place on place.id = v.department_id
      where v.template_id = t.id and ${reaches(scope, sql`place.path`)} and ${besides})`

export const templates = plainTable(configTemplate, {
  columns: {
    sections: sql`array_remove(array[${sql.join(
      Object.entries(templateSections).map(
        ([section, items]) => sql`case when t.items ?| ${Object.keys(items)}::text[] then ${sql.lit(section)} end`,
      ),
    )}], null)`,
    deviceCount: devicesOf(),
    differCount: devicesOf(sql`not (v.version = t.version and v.held @> t.items)`),
  },
  constraints: { config_template_name: templateErrors.nameExists },
})

const inWords = (pairs: ReturnType<typeof sql>) =>
  sql`(select string_agg(w.key || '=' || (w.value #>> '{}'), ', ' order by w.key) from ${pairs} w)`
const differing = sql`(select e.key, t.held -> e.key as value from jsonb_each(template.items) e
  where t.held -> e.key is distinct from e.value)`
const state = sql`case when t.version <> template.version then 'outdated' when ${isSame} then 'same' else 'differs' end`

export const templateDevices = plainTable(templateDevice, {
  joins: sql`join config_template template on template.id = t.template_id`,
  columns: {
    sn: sql`t.sn`,
    templateName: sql`template.name`,
    state,
    differs: sql`array(select w.key from ${differing} w order by w.key)`,
    instead: inWords(sql`(select x.key, coalesce(x.value, 'null') as value from ${differing} x)`),
    before: inWords(sql`jsonb_each(t.before)`),
  },
  filters: { state: (states: readonly string[]) => sql<SqlBool>`${state} = any(${states})` },
})

export interface Template extends ReleaseItem {
  readonly version: string
  readonly systemType: TemplateSystem
  readonly items: Items
  /** Sealed. */
  readonly wifiPassword: string | null
}

export const findTemplate = async (db: Db, scope: Scope | undefined, id: number): Promise<Template | undefined> => {
  const reached = scope ? inScope(templates, scope) : sql<SqlBool>`true`
  return (
    await sql<Template>`select t.id, t.name, t.version::text as version, null as bytes, t.system_type as "systemType",
        t.items, t.wifi_password as "wifiPassword"
      from ${source(templates)} where t.id = ${id} and ${reached}`.execute(db)
  ).rows[0]
}

/** What a write leaves behind: the items as devices know them, without a password where Wi-Fi asks for none. */
export const settleItems = async (db: Db, id: number): Promise<Items> =>
  (
    await sql<{ items: Items }>`update config_template set update_time = now(),
        items = jsonb_strip_nulls(jsonb_build_object(${sql.join(
          templateItemNames.map((name) => sql`${sql.lit(name)}, ${sql.ref(storedName(name))}`),
        )})),
        wifi_password = case when wifi_security = any(${[...wifiWithPassword]}) then wifi_password end
      where id = ${id} returning items`.execute(db)
  ).rows[0]?.items ?? {}

export const setPassword = (db: Db, id: number, sealed: string) =>
  sql`update config_template set wifi_password = ${sealed} where id = ${id} and wifi_security = any(${[...wifiWithPassword]})`.execute(
    db,
  )

export const countVersion = (db: Db, id: number) =>
  sql`update config_template set version = version + 1 where id = ${id}`.execute(db)

/** Whether a release brings one of them to devices right now. */
export const areApplied = async (db: Db, ids: readonly number[]): Promise<boolean> =>
  (
    await sql`select from release where kind = 'template' and item_id = any(${ids}) and state <> 'ended' limit 1`.execute(
      db,
    )
  ).rows.length > 0

/** What each of these devices calls its system. */
export const findSystems = async (db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, string>> => {
  const { rows } = await sql<{ id: number; system: string }>`select device_id as id, system_version as system
    from device_state where device_id = any(${ids}) and system_version is not null`.execute(db)
  return new Map(rows.map(({ id, system }) => [id, system]))
}

/** The version of this template that each of these devices was set up by, where it was the last to be applied. */
export const findVersions = async (
  db: Db,
  templateId: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> => {
  const { rows } = await sql<{ id: number; version: string }>`select device_id as id, version::text as version
    from template_device where template_id = ${templateId} and device_id = any(${ids})`.execute(db)
  return new Map(rows.map(({ id, version }) => [id, version]))
}

export interface Applied {
  readonly deviceId: number
  readonly templateId: number
  readonly version: number
  readonly held: Items
  readonly before: Items
  readonly time: string
}
/** A template or a device that has gone meanwhile needs no row. */
export const writeApplied = (tx: Db, applied: readonly Applied[]) =>
  sql`insert into template_device (device_id, sn, template_id, department_id, version, held, before, apply_time, told_time)
    select d.id, d.sn, template.id, d.department_id, (a ->> 'version')::bigint, a -> 'held', a -> 'before',
      (a ->> 'time')::timestamptz, (a ->> 'time')::timestamptz
    from jsonb_array_elements(${toJsonb(applied)}::jsonb) a join device d on d.id = (a ->> 'deviceId')::bigint
      join config_template template on template.id = (a ->> 'templateId')::bigint
    on conflict (device_id) do update set template_id = excluded.template_id, department_id = excluded.department_id,
      version = excluded.version, held = excluded.held, before = excluded.before, apply_time = excluded.apply_time,
      told_time = excluded.told_time`.execute(tx)

export const removeApplied = (tx: Db, undone: readonly { readonly deviceId: number; readonly templateId: number }[]) =>
  sql`delete from template_device v using jsonb_array_elements(${toJsonb(undone)}::jsonb) u
    where v.device_id = (u ->> 'deviceId')::bigint and v.template_id = (u ->> 'templateId')::bigint`.execute(tx)

export interface Told {
  readonly deviceId: number
  readonly items: Items
  readonly time: string
}
/** The newest word counts, in whatever order they come: one that is older than what is known changes nothing. */
export const writeTold = async (tx: Db, told: readonly Told[]) => {
  for (const { deviceId, items, time } of told.toSorted((a, b) => Date.parse(a.time) - Date.parse(b.time)))
    await sql`update template_device set held = held || ${toJsonb(items)}::jsonb, told_time = ${time}::timestamptz
      where device_id = ${deviceId} and told_time <= ${time}::timestamptz`.execute(tx)
}

/** Where devices stand now. */
export const followDevices = (tx: Db, sns: readonly string[]) =>
  sql`update template_device v set department_id = d.department_id from device d
    where d.id = v.device_id and d.sn = any(${sns}) and v.department_id <> d.department_id`.execute(tx)
