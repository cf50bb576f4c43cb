import { resources } from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { boundTable, storedName } from '../kit/table.ts'
import { startTestApp, type TestApp } from '../test/app.ts'

let server: TestApp
beforeAll(async () => {
  server = await startTestApp({ roles: ['api'] })
})
afterAll(() => server.stop())

/** Columns with such a name that hold no word of ours, and why. */
const openWords: Record<string, string> = {
  'activation_code.device_type': 'a code of an editable table',
  'command.exclusive_kind': 'declared by the commands of rooms',
  'department.customer_type': 'a code of an editable table',
  'department.iot_type': 'a code of an editable table',
  'device.device_type': 'a code of an editable table',
  'device_event.type': 'the device’s own word',
  'device_group.device_type': 'a code of an editable table',
  'device_group.type': 'what somebody calls it',
  'device_setting.device_type': 'a code of an editable table',
  'device_task.kind': 'what a task came from: rooms issue tasks of their own',
  'device_task.command': 'declared by the commands of rooms',
  'job.kind': 'registered by rooms',
  'job_recurrence.kind': 'registered by rooms',
  'licence.type': 'a code of an editable table',
  'op_log.type': 'a line is never refused for its word',
  'op_log_pending.type': 'a line is never refused for its word',
  'op_log_tally.type': 'a line is never refused for its word',
  'poster.device_type': 'a code of an editable table',
  'promotion.device_type': 'a code of an editable table',
  'release.action': 'declared by the rooms whose items are released',
  'release.kind': 'declared by the rooms whose items are released',
  'release_device.kind': 'declared by the rooms whose items are released',
  'release_target.kind': 'declared by the rooms whose items are released',
  'stored_file.type': 'what its bytes are; the kinds grow with what fields accept',
}

/** Tables whose rows say otherwise when they were made, or not at all, and why. */
const timeless: Record<string, string> = {
  captcha: 'lives for minutes',
  department_below: 'sums',
  device_activity: 'sums of a time',
  device_event: 'received',
  device_state: 'made with its device',
  import_row: 'made with its run',
  op_log_tally: 'sums of a day',
  own_point: 'time',
  presence_log: 'time',
  rate_limit: 'lives for minutes',
  refused_connection: 'time of the last',
  session: 'signed_in_at',
  telemetry_hour: 'hour',
  telemetry_raw: 'received',
  telemetry_rollup: 'period',
}

const tables = sql`pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
  and not c.relispartition and c.relname <> 'schema_migration'`

/** The literals of a CHECK, by table and column. */
const checkedWords = async () => {
  const { rows } = await sql<{ column: string; definition: string; validated: boolean }>`
    select k.conrelid::regclass::text || '.' || a.attname as column, pg_get_constraintdef(k.oid) as definition,
      k.convalidated as validated
    from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
    where k.contype = 'c' and k.connamespace = 'public'::regnamespace and cardinality(k.conkey) = 1`.execute(server.db)
  expect(rows.filter(({ validated }) => !validated)).toEqual([])
  return new Map(
    rows.map(({ column, definition }) => [
      column,
      [...definition.matchAll(/'((?:[^']|'')*)'::text|(?<![\w'])(\d+)(?![\w'])/g)].map(([, word, n]) => word ?? n),
    ]),
  )
}

test('every column that names a state or a kind is held to the words there are', async () => {
  const checked = await checkedWords()
  const { rows } = await sql<{ column: string }>`select c.relname || '.' || a.attname as column
    from pg_attribute a join (select c.oid, c.relname from ${tables}) c on c.oid = a.attrelid
    where a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      and a.atttypid in ('text'::regtype, 'smallint'::regtype, 'integer'::regtype)
      and a.attname ~ '(^|_)(state|status|kind|type|level|mode|result|step)$' and a.attname !~ '_last_step$'
    order by 1`.execute(server.db)
  const open = rows.map(({ column }) => column).filter((column) => !checked.has(column) && !(column in openWords))
  expect(open).toEqual([])
})

test('what the contract lets somebody choose and what the column takes are the same words', async () => {
  const checked = await checkedWords()
  const { rows } = await sql<{ column: string }>`select c.relname || '.' || a.attname as column
    from pg_attribute a join (select c.oid, c.relname from ${tables}) c on c.oid = a.attrelid
    where a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and a.atttypid <> 'jsonb'::regtype`.execute(
    server.db,
  )
  const stored = new Set(rows.map(({ column }) => column))
  const declared = new Map<string, Set<string>>()
  for (const resource of resources)
    for (const [name, { options }] of Object.entries(resource.fields)) {
      const column = `${boundTable(resource.name).name}.${storedName(name)}`
      if (!options || !stored.has(column) || column in openWords) continue
      declared.set(column, new Set([...(declared.get(column) ?? []), ...options.map(String)]))
    }
  const differing = [...declared].filter(
    ([column, words]) => checked.get(column)?.toSorted().join() !== [...words].toSorted().join(),
  )
  expect(differing.map(([column, words]) => ({ column, declared: [...words], checked: checked.get(column) }))).toEqual(
    [],
  )
})

test('every table says when its rows were made', async () => {
  const { rows } = await sql<{ name: string }>`select c.relname as name from ${tables}
    and not exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'create_time' and not a.attisdropped)
    order by 1`.execute(server.db)
  expect(rows.map(({ name }) => name)).toEqual(Object.keys(timeless))
})

test('a function that runs as the owner looks for nothing in the temporary schema first', async () => {
  const { rows } = await sql<{ name: string }>`select p.oid::regprocedure::text as name from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.prosecdef
      and not exists (select from unnest(p.proconfig) setting where setting ~ '^search_path=.*, pg_temp$')
    order by 1`.execute(server.db)
  expect(rows).toEqual([])
})
