import { createHash } from 'node:crypto'
import { AppError, fileErrors, uploadPartBytes } from '@campanile/contract'
import type { Db } from '../../platform/db.ts'
import { fenced } from '../../platform/fence.ts'
import { readBytes } from '../../platform/parts.ts'
import type { Services } from '../../services.ts'
import { enterpriseOfDepartment, keepContent } from './upload.store.ts'

/** Pieces of any length as pieces of one length; the last is what is left. */
const regrouped = async function* (content: AsyncIterable<Buffer>, bytes: number): AsyncGenerator<Buffer> {
  let held: Buffer[] = []
  let weight = 0
  for await (const chunk of content) {
    held.push(chunk)
    weight += chunk.length
    while (weight >= bytes) {
      const all = Buffer.concat(held)
      yield all.subarray(0, bytes)
      held = [all.subarray(bytes)]
      weight -= bytes
    }
  }
  if (weight > 0) yield Buffer.concat(held)
}

/** Bytes that a room has made of what was uploaded, kept as a content of their own: an app taken out of its archive. */
export const createKeeping = ({ db, files }: Pick<Services, 'db' | 'files'>) => {
  const { parts } = files

  const write = async (key: string, content: AsyncIterable<Buffer>) => {
    const hash = createHash('sha256')
    let size = 0
    let part = 0
    for await (const bytes of regrouped(content, uploadPartBytes)) {
      hash.update(bytes)
      size += bytes.length
      const md5 = createHash('md5').update(bytes).digest('hex')
      const once = async function* () {
        yield bytes
      }
      await parts.write(key, part, once(), { bytes: bytes.length, md5 })
      part += 1
    }
    await parts.settle(key)
    return { key, size, partBytes: uploadPartBytes, sha256: hash.digest('hex'), kind: 'zip' as const }
  }

  return {
    /** Committed by itself: where no row comes to name it, the sweep takes it away again. */
    keepBytes: async (departmentId: number, content: AsyncIterable<Buffer>, name: string) => {
      const key = files.newKey()
      await parts.begin(key)
      try {
        const written = await write(key, content)
        const kept = await fenced(undefined, () =>
          db.transaction().execute(async (tx) => {
            const enterpriseId = await enterpriseOfDepartment(tx as Db, departmentId)
            if (enterpriseId === undefined) throw new AppError(fileErrors.uploadNotFound)
            return keepContent(tx as Db, enterpriseId, written)
          }),
        )
        if (kept.key !== key) await parts.remove(key)
        const { size, sha256 } = kept
        const readAt = (first: number, bytes: number) => readBytes(parts, kept, first, bytes)
        return { contentId: kept.id, name, size, sha256, readAt }
      } catch (error) {
        await parts.remove(key)
        throw error
      }
    },
  }
}
