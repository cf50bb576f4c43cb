import { createReadStream } from 'node:fs'
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Artefact } from '../port.ts'

/** Below the agent's own folder, so that whatever a killed agent has left is found, and nobody else's is taken for it. */
export const workFolderOf = (stateFolder: string): string => join(stateFolder, 'work')

/** Removes what an earlier run could not. */
export const sweepWork = (stateFolder: string): Promise<void> =>
  rm(workFolderOf(stateFolder), { recursive: true, force: true })

/** A folder of its own for whatever a file is made from; nobody else may look in. */
export const makeFile = async (
  workFolder: string,
  name: string,
  contentType: string,
  make: (path: string, folder: string) => Promise<unknown>,
): Promise<Artefact> => {
  await mkdir(workFolder, { recursive: true, mode: 0o700 })
  const folder = await mkdtemp(join(workFolder, 'file-'))
  const discard = () => rm(folder, { recursive: true, force: true })
  try {
    const path = join(folder, name)
    await make(path, folder)
    const { size } = await stat(path)
    if (size === 0) throw new Error('the file is empty')
    return { name, contentType, bytes: size, open: () => createReadStream(path), discard }
  } catch (error) {
    await discard()
    throw error
  }
}

/** 20260131-235959, for names of files. */
export const stamp = (now = new Date()): string =>
  now
    .toISOString()
    .replace(/[-:]|\..*$/g, '')
    .replace('T', '-')
