import { createHash } from 'node:crypto'
import { copyFile, mkdir, open, realpath, rename, rm } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { syncFolder } from './disk.ts'
import { asFault, UpdateFailed } from './fault.ts'

/** Folder by folder, so that nothing is made where a link leads out of the root. */
const makeInside = async (root: string, folder: string): Promise<string> => {
  await mkdir(root, { recursive: true })
  const top = await realpath(root)
  let inside = top
  for (const name of folder.split('/').filter(Boolean)) {
    await mkdir(join(inside, name), { recursive: true })
    inside = await realpath(join(inside, name))
    if (inside !== top && !inside.startsWith(top + sep))
      throw new UpdateFailed('installFailed', `${folder} leads out of ${root}`)
  }
  return inside
}

/** Of its own length, whatever the file is called. */
const halfOf = (name: string) => `.campanile-${createHash('sha256').update(name).digest('hex').slice(0, 16)}.new`

/** Puts a file below the owner's folder, whole or not at all; a link there leads nowhere else. */
export const putInPlace = async (path: string, root: string, folder: string, name: string): Promise<string> => {
  try {
    const inside = await makeInside(root, folder)
    const target = join(inside, name)
    const half = join(inside, halfOf(name))
    await rm(half, { force: true })
    await copyFile(path, half)
    const handle = await open(half, 'r+')
    await handle.sync().finally(() => handle.close())
    await rename(half, target)
    await syncFolder(inside)
    return target
  } catch (error) {
    throw asFault(error, 'installFailed')
  }
}
