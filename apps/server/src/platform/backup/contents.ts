import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from, to } from 'pg-copy-streams'
import { OperatorError } from '../operator-error.ts'

/** Names are written by PostgreSQL with schema and quotes, ready to stand in a statement. */
export interface TableContents {
  name: string
  columns: string
  rows: number
}

export interface Partition {
  name: string
  parent: string
  bound: string
  /** Set when the partition is itself divided. */
  divided: string | null
  options: string | null
}

export interface Sequence {
  name: string
  value: string
  called: boolean
}

/** Every table that migrations or the running server made; what extensions brought comes with the extension. */
const ours = `n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema' AND c.relname <> 'schema_migration'
  AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')`

/** Text in the archive must mean the same whatever the server's own settings are. */
const plainSession = `SET search_path = ''; SET TimeZone = 'UTC'; SET DateStyle = 'ISO'; SET IntervalStyle = 'postgres';
  SET bytea_output = 'hex'; SET extra_float_digits = 3; SET row_security = off; SET statement_timeout = 0`

export const usePlainSession = (client: pg.Client) => client.query(plainSession)

const rowsOf = async <Row extends pg.QueryResultRow>(client: pg.Client, sql: string): Promise<Row[]> =>
  (await client.query<Row>(sql)).rows

/** Partitions are read and written through their parent. */
const listTables = (client: pg.Client) =>
  rowsOf<{ name: string; columns: string; partitioned: boolean }>(
    client,
    `SELECT c.oid::regclass::text AS name, c.relkind = 'p' AS partitioned,
       (SELECT coalesce(string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum), '') FROM pg_attribute a
         WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relpersistence <> 't' AND ${ours} ORDER BY 1`,
  )

/** Parents first. The running server makes partitions by the day, so migrations alone would not bring them back. */
export const listPartitions = (client: pg.Client) =>
  rowsOf<Partition>(
    client,
    `SELECT c.oid::regclass::text AS name, i.inhparent::regclass::text AS parent,
       pg_get_expr(c.relpartbound, c.oid) AS bound, pg_get_partkeydef(c.oid) AS divided,
       array_to_string(c.reloptions, ', ') AS options
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_inherits i ON i.inhrelid = c.oid
     WHERE c.relispartition AND c.relkind IN ('r', 'p') AND ${ours}
     ORDER BY (SELECT count(*) FROM pg_partition_ancestors(c.oid)), 1`,
  )

/** Not part of the snapshot: read after the rows, a sequence is never behind them. */
export const listSequences = (client: pg.Client) =>
  rowsOf<Sequence>(
    client,
    `SELECT c.oid::regclass::text AS name, coalesce(s.last_value, s.start_value)::text AS value,
       s.last_value IS NOT NULL AS called
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     JOIN pg_sequences s ON s.schemaname = n.nspname AND s.sequencename = c.relname
     WHERE c.relkind = 'S' AND ${ours} ORDER BY 1`,
  )

export const hasTables = async (client: pg.Client): Promise<boolean> => (await listTables(client)).length > 0

export const tableEntry = (name: string): string => `tables/${name}`

/** Hands every table's rows, as COPY writes them, to `save`; the caller holds the snapshot. */
export async function copyOut(
  client: pg.Client,
  save: (entry: string, rows: Readable) => Promise<void>,
): Promise<TableContents[]> {
  const contents: TableContents[] = []
  for (const { name, columns, partitioned } of await listTables(client)) {
    const source = partitioned ? `(SELECT ${columns} FROM ${name})` : `${name} (${columns})`
    const stream = client.query(to(`COPY ${source} TO STDOUT`))
    await save(tableEntry(name), stream)
    contents.push({ name, columns, rows: stream.rowCount })
  }
  return contents
}

/**
 * Fills a freshly migrated schema inside the caller's transaction. Foreign keys are taken off and put back, which
 * checks all rows at once and needs no order of tables; triggers keep still, for their work is in the rows already.
 */
export async function copyIn(
  client: pg.Client,
  { tables, partitions, sequences }: { tables: TableContents[]; partitions: Partition[]; sequences: Sequence[] },
  read: (entry: string) => Promise<Readable>,
): Promise<void> {
  for (const { name, parent, bound, divided, options } of partitions) {
    const by = divided ? ` PARTITION BY ${divided}` : ''
    const settings = options ? ` WITH (${options})` : ''
    await client.query(`CREATE TABLE IF NOT EXISTS ${name} PARTITION OF ${parent} ${bound}${by}${settings}`)
  }
  const present = await listTables(client)
  const foreignKeys = await listForeignKeys(client)
  const triggers = await listTriggers(client)
  for (const { table, name } of foreignKeys) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`)
  for (const { table, name } of triggers) await client.query(`ALTER TABLE ${table} DISABLE TRIGGER ${name}`)
  if (present.length > 0) await client.query(`TRUNCATE ${present.map(({ name }) => name).join(', ')}`)

  for (const { name, columns, rows } of tables) {
    const sink = client.query(from(`COPY ${name} (${columns}) FROM STDIN`))
    await pipeline(await read(tableEntry(name)), sink)
    if (sink.rowCount !== rows)
      throw new OperatorError(`The table ${name} came back with ${sink.rowCount} of ${rows} rows.`)
  }
  for (const { name, value, called } of sequences)
    await client.query('SELECT setval($1, $2, $3)', [name, value, called])
  for (const { table, name } of triggers) await client.query(`ALTER TABLE ${table} ENABLE TRIGGER ${name}`)
  for (const { table, name, definition } of foreignKeys) {
    await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`)
  }
}

const listForeignKeys = (client: pg.Client) =>
  rowsOf<{ table: string; name: string; definition: string }>(
    client,
    `SELECT c.oid::regclass::text AS table, quote_ident(k.conname) AS name, pg_get_constraintdef(k.oid) AS definition
     FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE k.contype = 'f' AND k.conparentid = 0 AND ${ours}`,
  )

const listTriggers = (client: pg.Client) =>
  rowsOf<{ table: string; name: string }>(
    client,
    `SELECT c.oid::regclass::text AS table, quote_ident(t.tgname) AS name
     FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE NOT t.tgisinternal AND t.tgenabled = 'O' AND t.tgparentid = 0 AND ${ours}`,
  )
