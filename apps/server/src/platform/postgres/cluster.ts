import { chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { exists, syncFolder } from '../data-folder.ts'
import { OperatorError } from '../operator-error.ts'
import { type Cluster, finish, launch } from './launch.ts'
import { scramVerifier } from './scram.ts'

export const ownerRole = 'campanile_owner'
export const appRole = 'campanile_app'
/** What `campanile_app` becomes while it works for somebody who does not reach everything; see `platform/fence.ts`. */
export const fencedRole = 'campanile_fenced'
export const databaseName = 'campanile'

export interface Passwords {
  owner: string
  app: string
}

/** Makes the cluster on the first start; on later ones checks that this PostgreSQL may open it. */
export async function prepareCluster(cluster: Cluster, passwords: Passwords): Promise<void> {
  if (await exists(cluster.folder)) await refuseOtherMajor(cluster)
  else await createCluster(cluster, passwords)
}

async function refuseOtherMajor({ folder, runtime }: Cluster): Promise<void> {
  const version = join(folder, 'PG_VERSION')
  const major = (await readFile(version, 'utf8').catch(() => '')).trim()
  if (major === String(runtime.major)) return
  if (major === '')
    throw new OperatorError(`${folder} is not a PostgreSQL cluster: restore a backup or empty the data folder.`)
  throw new OperatorError(
    `${folder} was made by PostgreSQL ${major} and this Campanile brings PostgreSQL ${runtime.major}: back up with the Campanile that made it, then restore that file here. Nothing was changed.`,
  )
}

/**
 * Built beside its place and renamed when complete, so a crash leaves nothing half-made. Roles are written in
 * single-user mode: there is never a running server that lets anyone in without a password.
 */
async function createCluster(cluster: Cluster, passwords: Passwords): Promise<void> {
  const half = { ...cluster, folder: `${cluster.folder}.new` }
  await rm(half.folder, { recursive: true, force: true })
  await mkdir(half.folder, { mode: 0o700 })
  if (cluster.account) await chown(half.folder, cluster.account.uid, cluster.account.gid)

  // Comparison by code point needs no operating system library, so an upgrade of the system cannot break an index.
  // LC_CTYPE still has to know Unicode: pg_trgm asks it what a letter is.
  const locale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--lc-collate=C', `--lc-ctype=${ctype}`]
  await succeed(
    half,
    'initdb',
    ['--username', ownerRole, '--encoding=UTF8', ...locale, '--auth=reject', '--no-instructions'],
    '',
  )
  await writeFile(join(half.folder, 'pg_hba.conf'), 'local all all scram-sha-256\n')
  await succeed(
    half,
    'postgres',
    ['--single', 'postgres'],
    [
      `ALTER ROLE ${ownerRole} PASSWORD '${scramVerifier(passwords.owner)}'`,
      `CREATE ROLE ${appRole} LOGIN PASSWORD '${scramVerifier(passwords.app)}'`,
      `CREATE DATABASE ${databaseName}`,
      '',
    ].join('\n'),
  )
  await rename(half.folder, cluster.folder)
  await syncFolder(dirname(cluster.folder))
}

const ctype = process.platform === 'darwin' ? 'UTF-8' : 'C.UTF-8'

async function succeed(cluster: Cluster, program: 'initdb' | 'postgres', args: string[], input: string): Promise<void> {
  const { code, said } = await finish(launch(cluster, program, args), input)
  if (code !== 0 || /^(ERROR|FATAL|PANIC):/m.test(said)) {
    throw new OperatorError(
      `The database could not be made in ${dirname(cluster.folder)}: ${said || `${program} ended with ${code}`}`,
    )
  }
}
