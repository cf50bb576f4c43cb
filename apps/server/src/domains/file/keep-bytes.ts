import { createHash } from 'node:crypto'
import { AppError, fileErrors, uploadPartBytes } from '@campanile/contract'
import type { Db } from '../../platform/db.ts'
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
export const createKeeping = ({ files }: Pick<Services, 'files'>) => {
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
    await parts.settle({ key, size, partBytes: uploadPartBytes })
    return { key, size, partBytes: uploadPartBytes, sha256: hash.digest('hex'), kind: 'zip' as const }
  }

  return {
    /** In the transaction of the row that names it; whoever takes that back calls `discard`, and the bytes go too. */
    keepBytes: async (tx: Db, departmentId: number, content: AsyncIterable<Buffer>, name: string) => {
      const enterpriseId = await enterpriseOfDepartment(tx, departmentId)
      if (enterpriseId === undefined) throw new AppError(fileErrors.uploadNotFound)
      const key = files.newKey()
      const discard = () => parts.remove(key)
      await parts.begin(key)
      try {
        const kept = await keepContent(tx, enterpriseId, await write(key, content))
        if (kept.key !== key) await discard()
        const { size, sha256 } = kept
        const readAt = (first: number, bytes: number) => readBytes(parts, kept, first, bytes)
        return { contentId: kept.id, enterpriseId, name, size, sha256, readAt, discard }
      } catch (error) {
        await discard()
        throw error
      }
    },
  }
}
