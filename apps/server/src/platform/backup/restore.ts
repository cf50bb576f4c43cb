import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import type { Logger } from 'pino'
import { dataPaths, exists, prepareDataFolder, syncFolder } from '../data-folder.ts'
import { lockInstance } from '../instance-lock.ts'
import { applyMigration, type Migration, pendingOf, readMigrations, tableOfMigrations } from '../migrate.ts'
import { OperatorError } from '../operator-error.ts'
import { startDatabase } from '../postgres/index.ts'
import { loadSecrets } from '../secrets.ts'
import { type ArchiveReader, openArchive } from './archive.ts'
import { format, type Manifest } from './backup.ts'
import { copyIn, hasTables, usePlainSession } from './contents.ts'

export interface RestoreOptions {
  dataDir: string
  databaseUrl?: string
  migrationsDir: string
  replace: boolean
  log: Logger
}

/**
 * The new installation is built completely in `<data>/restore`, then takes the place of the old one. A crash before
 * that changes nothing; a crash after it is finished by the next start.
 */
export async function restore(file: string, options: RestoreOptions): Promise<Manifest> {
  const { dataDir, replace, migrationsDir } = options
  const archive = await openArchive<Manifest>(file)
  try {
    const migrations = await matchMigrations(archive.manifest, migrationsDir, file)
    await prepareDataFolder(dataDir)
    const lock = await lockInstance(dataDir)
    try {
      await finishRestore(dataDir)
      if (!replace && (await isUsed(dataDir))) throw new OperatorError(`${dataDir} is not empty: ${advice}`)
      await build(archive, migrations, options)
      await writeFile(readyMark(dataDir), '')
      await finishRestore(dataDir)
    } finally {
      await lock.release()
    }
    return archive.manifest
  } finally {
    archive.close()
  }
}

const advice = 'add --replace to replace everything in it with the backup, or set CAMPANILE_DATA to an empty folder.'

/** The backup must come from this version or an older one: then its migrations are the first of ours. */
async function matchMigrations(manifest: Manifest, directory: string, file: string): Promise<Migration[]> {
  if (manifest.product !== 'campanile' || manifest.format !== format) {
    throw new OperatorError(`${file} was written by another version of Campanile, which this one cannot read.`)
  }
  const known = await readMigrations(directory)
  const later = new Set(pendingOf(known, manifest.migrations).map(({ name }) => name))
  return known.filter(({ name }) => !later.has(name))
}

const readyMark = (dataDir: string): string => join(dataPaths(dataDir).restore, 'ready')

/** Also run at every start. Each step may be repeated, so it does not matter where a crash came. */
export async function finishRestore(dataDir: string): Promise<void> {
  const staging = dataPaths(dataDir).restore
  if (await exists(readyMark(dataDir))) {
    const [from, to] = [dataPaths(staging), dataPaths(dataDir)]
    for (const part of ['postgres', 'secrets', 'files'] as const) {
      if (!(await exists(from[part]))) continue
      await rm(to[part], { recursive: true, force: true })
      await rename(from[part], to[part])
    }
    await syncFolder(dataDir)
  }
  await rm(staging, { recursive: true, force: true })
}

async function isUsed(dataDir: string): Promise<boolean> {
  const { lock, runtime } = dataPaths(dataDir)
  const ignored = [basename(lock), basename(runtime), 'lost+found']
  return (await readdir(dataDir)).some((name) => !ignored.includes(name))
}

async function build(
  archive: ArchiveReader<Manifest>,
  migrations: Migration[],
  options: RestoreOptions,
): Promise<void> {
  const staging = dataPaths(options.dataDir).restore
  await mkdir(staging, { mode: 0o700 })
  // An installation without stored files replaces one that has some.
  await mkdir(dataPaths(staging).files, { mode: 0o700 })
  await mkdir(dataPaths(staging).secrets, { mode: 0o700 })
  for (const name of Object.keys(archive.manifest.entries)) {
    if (!/^(secrets|files)\//.test(name)) continue
    const path = join(staging, name)
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await pipeline(await archive.read(name), createWriteStream(path, { mode: 0o600, flags: 'wx', flush: true }))
  }
  const secrets = await loadSecrets(staging)
  const target = { dataDir: staging, ...(options.databaseUrl ? { databaseUrl: options.databaseUrl } : {}) }
  const database = await startDatabase(target, secrets, options.log)
  try {
    await fill(archive, migrations, database.owner, options.replace)
  } finally {
    await database.stop()
  }
}

/** One transaction: an external database shows the old contents or the new, never a mixture. */
async function fill(
  archive: ArchiveReader<Manifest>,
  migrations: Migration[],
  owner: pg.ClientConfig,
  replace: boolean,
): Promise<void> {
  const client = new pg.Client(owner)
  await client.connect()
  try {
    await client.query('BEGIN')
    if (await hasTables(client)) {
      if (!replace)
        throw new OperatorError('The database holds tables: add --replace to replace everything in it with the backup.')
      await dropSchemas(client)
    }
    await client.query(tableOfMigrations)
    for (const migration of migrations) await applyMigration(client, migration)
    await usePlainSession(client)
    await copyIn(client, archive.manifest, archive.read)
    await client.query('COMMIT')
    await client.query('ANALYZE')
  } finally {
    // Ends an unfinished transaction too.
    await client.end()
  }
}

async function dropSchemas(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT quote_ident(nspname) AS name FROM pg_namespace WHERE nspname NOT LIKE 'pg\\_%' AND nspname <> 'information_schema'`,
  )
  for (const { name } of rows) await client.query(`DROP SCHEMA ${name} CASCADE`)
  await client.query('CREATE SCHEMA public; GRANT USAGE ON SCHEMA public TO PUBLIC')
}
