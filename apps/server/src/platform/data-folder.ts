import { chmod, mkdir, open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { OperatorError } from './operator-error.ts'

/** What lies in the data folder. A backup holds the secrets, the stored files and the contents of the database. */
export const dataPaths = (dataDir: string) => ({
  postgres: join(dataDir, 'postgres'),
  secrets: join(dataDir, 'secrets'),
  files: join(dataDir, 'files'),
  /** Who uses the folder; see instance-lock.ts. */
  lock: join(dataDir, 'lock'),
  /** PostgreSQL's programs, when they cannot be used from node_modules. */
  runtime: join(dataDir, 'runtime'),
  /** What devices' messages were being stored; see domains/device/crash-notes.ts. */
  messages: join(dataDir, 'messages'),
  /** A restore under way; see backup/restore.ts. */
  restore: join(dataDir, 'restore'),
})

/** The data folder is nobody else's business: database, files and keys lie inside. */
export async function prepareDataFolder(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    await chmod(dataDir, 0o700)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new OperatorError(
      `${dataDir} cannot be used by this user (${code}): give the folder to them, or set CAMPANILE_DATA to another one.`,
    )
  }
}

export const exists = async (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return false
      throw error
    },
  )

/** Makes a rename inside the folder survive a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}
