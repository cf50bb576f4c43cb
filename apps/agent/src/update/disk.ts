import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readlink, rename, rm, stat, statfs, symlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { UpdateFailed } from './fault.ts'

const isAbsent = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** How many bytes a file has; nothing where there is none. */
export const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    (error) => {
      if (isAbsent(error)) return 0
      throw error
    },
  )

export const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

/** What was renamed in a folder is there after a power cut only once the folder itself is written. */
export const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

export const digestOf = async (path: string): Promise<string> => {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

/** Where a link leads; nothing where there is none. */
export const leadsTo = (link: string): Promise<string | undefined> =>
  readlink(link).catch((error) => {
    if (isAbsent(error)) return undefined
    throw error
  })

/** A link leads to the old or to the new at every moment; to nothing, it is removed. */
export const pointLink = async (link: string, to: string | undefined): Promise<void> => {
  if (to === undefined) await rm(link, { force: true })
  else {
    await rm(`${link}.new`, { force: true })
    await symlink(to, `${link}.new`)
    await rename(`${link}.new`, link)
  }
  await syncFolder(dirname(link))
}

const spareBytes = 16 * 1024 * 1024
export const needSpace = async (folder: string, bytes: number): Promise<void> => {
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  if (free < bytes + spareBytes)
    throw new UpdateFailed('notEnoughSpace', `${megabytes(bytes + spareBytes)} are needed, ${megabytes(free)} are free`)
}
const megabytes = (bytes: number) => `${Math.ceil(bytes / 1024 / 1024)} MiB`
