import { createHash, randomBytes } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { syncFolder } from './data-folder.ts'
import { besideFolder, createFolderParts } from './parts.ts'
import type { S3Address } from './s3/address.ts'
import { createS3Parts } from './s3/parts.ts'

export interface StoredFile {
  /** Made here; no name from outside ever becomes a path. */
  readonly key: string
  readonly size: number
  readonly sha256: Buffer
}

/** Thrown while a file streams in, before it has a name. */
export class FileTooLarge extends Error {
  override readonly name = 'FileTooLarge'
}

const keyShape = /^[0-9a-f]{32}$/
const unfinished = '.part'
const dayMs = 24 * 3_600_000

const newKey = () => randomBytes(16).toString('hex')

/** Bytes on disk, found by key. A file is there whole or not at all. Large ones lie in an object store where there is one. */
export const createFiles = (folder: string, address?: S3Address) => {
  const inFolder = createFolderParts(folder)
  const store = address && createS3Parts(address)
  const pathOf = (key: string) => {
    if (!keyShape.test(key)) throw new TypeError('not a key of the file store')
    return join(folder, key.slice(0, 2), key)
  }

  return {
    /** Large files, which come and are read in parts. */
    parts: store ? besideFolder(inFolder, store) : inFolder,

    start: async () => {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await removeUnfinished(folder)
      await store?.check()
    },
    stop: () => store?.stop(),

    newKey,

    /** With a key from `newKey` that was written down before, a second try replaces what the first one left. */
    put: async (
      content: Readable,
      { maxBytes, key = newKey(), signal }: { maxBytes: number; key?: string; signal?: AbortSignal },
    ) => {
      const path = pathOf(key)
      const part = `${path}${unfinished}`
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      const handle = await open(part, 'w', 0o600)
      const hash = createHash('sha256')
      let size = 0
      try {
        for await (const chunk of content as AsyncIterable<Buffer>) {
          signal?.throwIfAborted()
          size += chunk.length
          if (size > maxBytes) throw new FileTooLarge()
          hash.update(chunk)
          await handle.writeFile(chunk)
        }
        await handle.sync()
        await handle.close()
        await rename(part, path)
        await syncFolder(dirname(path))
      } catch (error) {
        await handle.close().catch(() => undefined)
        await rm(part, { force: true })
        throw error
      }
      return { key, size, sha256: hash.digest() } satisfies StoredFile
    },

    /** Opened before it is returned, so that a missing file is an error and not an empty download. */
    read: async (key: string): Promise<{ stream: Readable; size: number }> => {
      const handle = await open(pathOf(key), 'r')
      const { size } = await handle.stat()
      return { stream: handle.createReadStream(), size }
    },

    /** Removing what is gone already is no error. */
    remove: async (key: string) => rm(pathOf(key), { force: true }),
  }
}

export type Files = ReturnType<typeof createFiles>

/** Left by a crash. Another server may be writing right now, so only old ones go. */
const removeUnfinished = async (folder: string) => {
  const names = await readdir(folder, { recursive: true })
  for (const name of names.filter((each) => each.endsWith(unfinished))) {
    const path = join(folder, name)
    // Its writer may have finished meanwhile.
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }))
    if (mtimeMs < Date.now() - dayMs) await rm(path, { force: true })
  }
}
