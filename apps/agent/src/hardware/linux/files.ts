import { createReadStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Artefact } from '../port.ts'

/** A folder of its own for whatever a file is made from; nobody else may look in. */
export const makeFile = async (
  name: string,
  contentType: string,
  make: (path: string, folder: string) => Promise<unknown>,
): Promise<Artefact> => {
  const folder = await mkdtemp(join(tmpdir(), 'campanile-'))
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
