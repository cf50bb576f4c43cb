import { copyFile, mkdir, open, realpath, rename, rm } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { syncFolder } from './disk.ts'
import { asFault, UpdateFailed } from './fault.ts'

/** Puts a file below the owner's folder, whole or not at all; a link there leads nowhere else. */
export const putInPlace = async (path: string, root: string, folder: string, name: string): Promise<string> => {
  try {
    const wanted = join(root, folder)
    await mkdir(wanted, { recursive: true })
    const [inside, top] = [await realpath(wanted), await realpath(root)]
    if (inside !== top && !inside.startsWith(top + sep))
      throw new UpdateFailed('installFailed', `${folder} leads out of ${root}`)
    const target = join(inside, name)
    const half = join(inside, `.${name}.new`)
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
