import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { OperatorError } from './operator-error.ts'

export interface Migration {
  name: string
  checksum: string
  sql: string
}

/** Any number will do as long as nobody else locks it; these are the bytes of "camp". */
export const lockKey = 0x63616d70

/** Brings the schema forward. Several servers may start at once: one migrates, the others wait and find nothing to do. */
export async function migrate(owner: pg.ClientConfig, directory: string): Promise<{ applied: string[] }> {
  const migrations = await readMigrations(directory)
  const client = new pg.Client(owner)
  await client.connect()
  try {
    // When we are killed, a long statement of ours ends soon and frees the lock. Not every system can do this.
    await client.query('SET client_connection_check_interval = 1000').catch(() => undefined)
    await client.query('SELECT pg_advisory_lock($1)', [lockKey])
    await client.query(tableOfMigrations)
    const pending = pendingOf(migrations, await readApplied(client))
    for (const migration of pending) {
      if (migration.sql.startsWith(outsideTransaction)) await applyOutside(client, migration)
      else {
        await client.query('BEGIN')
        await applyMigration(client, migration)
        await client.query('COMMIT')
      }
    }
    return { applied: pending.map((migration) => migration.name) }
  } finally {
    // Ends an open transaction and the lock with it.
    await client.end()
  }
}

/** The first line of a file that PostgreSQL runs in no transaction (`create index concurrently`). */
const outsideTransaction = '-- outside a transaction'

export const tableOfMigrations = `CREATE TABLE IF NOT EXISTS public.schema_migration (
  name text PRIMARY KEY,
  checksum text NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT now()
)`

export async function readMigrations(directory: string): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort()
  const numbers = new Map<string, string>()
  for (const name of names) {
    const number = /^(\d{4}|\d{12})_[a-z0-9_]+\.sql$/.exec(name)?.[1]
    if (!number)
      throw new OperatorError(
        `${join(directory, name)} is not named like a migration: call it 202611151800_what_it_does.sql, by date and time.`,
      )
    const twin = numbers.get(number)
    if (twin) throw new OperatorError(`${twin} and ${name} have the same time: give the newer one a later one.`)
    numbers.set(number, name)
  }
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(directory, name), 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

type Applied = Pick<Migration, 'name' | 'checksum'>

export const readApplied = async (client: pg.Client): Promise<Applied[]> =>
  (await client.query<Applied>('SELECT name, checksum FROM public.schema_migration ORDER BY name')).rows

/** What is left to do; refuses when files and database do not share one history. */
export function pendingOf(migrations: Migration[], applied: Applied[]): Migration[] {
  const known = new Map(migrations.map((migration) => [migration.name, migration]))
  for (const { name, checksum } of applied) {
    const file = known.get(name)
    if (!file) {
      throw new OperatorError(
        `The database has the migration ${name}, which this Campanile does not know: start the newer Campanile that made it.`,
      )
    }
    if (file.checksum !== checksum) {
      throw new OperatorError(
        `The migration ${name} was changed after it ran: put the old text back and write the change as a new migration.`,
      )
    }
  }
  const done = new Set(applied.map(({ name }) => name))
  const pending = migrations.filter(({ name }) => !done.has(name))
  const latest = applied.at(-1)?.name ?? ''
  const late = pending.find(({ name }) => name < latest)
  if (late)
    throw new OperatorError(
      `The migration ${late.name} comes before ${latest}, which already ran: name it by the present date and time.`,
    )
  return pending
}

/** Runs inside the caller's transaction, so that schema, data and the note of it appear together or not at all. */
export async function applyMigration(client: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  const before = await transactionId(client)
  try {
    await client.query(sql)
  } catch (error) {
    throw new OperatorError(`The migration ${name} failed and was undone: ${describe(error, sql)}`, { cause: error })
  }
  if ((await transactionId(client)) !== before) {
    throw new OperatorError(`The migration ${name} ends its transaction itself: take COMMIT and ROLLBACK out of it.`)
  }
  await client.query('INSERT INTO public.schema_migration (name, checksum) VALUES ($1, $2)', [name, checksum])
}

/**
 * One statement after the other, each for itself. What such a file does must not mind being done again: a server that is
 * killed on the way starts over from its first statement.
 */
async function applyOutside(client: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  for (const statement of sql.split(/;\s*\n/).filter((part) => part.replace(/^\s*--.*$/gm, '').trim() !== ''))
    try {
      await client.query(statement)
    } catch (error) {
      throw new OperatorError(`The migration ${name} failed: ${describe(error, statement)}`, { cause: error })
    }
  await client.query('INSERT INTO public.schema_migration (name, checksum) VALUES ($1, $2)', [name, checksum])
}

const transactionId = async (client: pg.Client): Promise<string | undefined> =>
  (await client.query<{ id: string }>('SELECT pg_current_xact_id()::text AS id')).rows[0]?.id

const describe = (error: unknown, sql: string): string => {
  if (!(error instanceof pg.DatabaseError)) return String(error)
  const line = error.position ? ` at line ${sql.slice(0, Number(error.position)).split('\n').length}` : ''
  return `${error.message}${line}${error.hint ? ` (${error.hint})` : ''}`
}
