import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import pg from 'pg'
import { dataPaths, exists } from '../data-folder.ts'
import { lockKey, type Migration, readApplied } from '../migrate.ts'
import { OperatorError } from '../operator-error.ts'
import { type ArchiveWriter, createArchive } from './archive.ts'
import {
  copyOut,
  listPartitions,
  listSequences,
  type Partition,
  type Sequence,
  type TableContents,
  usePlainSession,
} from './contents.ts'

export const format = 1

export interface Manifest {
  product: 'campanile'
  format: number
  createdAt: string
  migrations: Pick<Migration, 'name' | 'checksum'>[]
  tables: TableContents[]
  partitions: Partition[]
  sequences: Sequence[]
}

/**
 * Everything that makes this installation, in one file, while it serves. All tables are read in one snapshot.
 * Rows rather than database files, so that it works for an external PostgreSQL too and moves between versions.
 */
export async function backup(file: string, dataDir: string, owner: pg.ClientConfig): Promise<Manifest> {
  if (await exists(file)) throw new OperatorError(`${file} exists already: name a file that does not.`)
  const archive = createArchive(file)
  const client = new pg.Client(owner)
  try {
    await client.connect()
    await usePlainSession(client)
    // No migration may change the tables under our hands; waited for before the snapshot is taken.
    await client.query('SELECT pg_advisory_lock_shared($1)', [lockKey])
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const migrations = await readApplied(client)
    const partitions = await listPartitions(client)
    const tables = await copyOut(client, archive.add)
    const sequences = await listSequences(client)
    await client.query('COMMIT')

    await addFolder(archive, dataPaths(dataDir).secrets, 'secrets')
    await addFolder(archive, dataPaths(dataDir).files, 'files')
    const createdAt = new Date().toISOString()
    const manifest: Manifest = { product: 'campanile', format, createdAt, migrations, tables, partitions, sequences }
    await archive.finish(manifest)
    return manifest
  } catch (error) {
    await archive.abandon()
    throw error
  } finally {
    await client.end()
  }
}

/** A file deleted since the snapshot is left out, as the next clean-up would have done. */
async function addFolder(archive: ArchiveWriter, folder: string, name: string): Promise<void> {
  if (!(await exists(folder))) return
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    if (!(await exists(path))) continue
    await archive.add(`${name}/${relative(folder, path)}`, createReadStream(path), { compress: false })
  }
}
