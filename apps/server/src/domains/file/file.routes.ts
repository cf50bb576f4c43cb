import { AppError, downloadFile, fileErrors } from '@campanile/contract'
import { RawAnswer } from '../../kit/answer.ts'
import type { Call } from '../../kit/call.ts'
import { attachment } from '../../kit/export/download.ts'
import { byDefault, mount } from '../../kit/mount.ts'
import { removeRows } from '../../kit/rows.ts'
import { touchRows } from '../../kit/touched.ts'
import type { Services } from '../../services.ts'
import { exportFiles, findFile, lockFiles, type StoredAs, takeExpired } from './file.store.ts'

const removeStored = (files: Services['files'], some: readonly StoredAs[]) =>
  Promise.all(some.map(({ storedAs }) => (storedAs ? files.remove(storedAs) : undefined)))

/** Exports, failed import rows, logs of devices: found here by whoever asked for them until they expire. */
export const mountFiles = ({ kit, files }: Services) => {
  mount(kit, exportFiles, {
    list: byDefault,
    remove: async (call: Call<number[]>) => {
      const found = await lockFiles(call.db, call.scope, call.input)
      const names = await removeRows(call.db, exportFiles, call.scope, call.input)
      call.note({ description: names.join(', ') })
      // Not before: a row without its file is repaired by nobody, a file without its row by the sweeper of old keys.
      call.afterCommit(() => removeStored(files, found))
      return { removed: names.length }
    },
  })

  kit.guarded(downloadFile, 'exportFile', async (call) => {
    const file = await findFile(call.db, call.scope, call.input.id)
    if (!file?.storedAs || file.state !== 'complete') throw new AppError(fileErrors.exportGone)
    call.note({ description: file.name })
    await touchRows(call, exportFiles, [file.id])
    const stored = await files.read(file.storedAs).catch(() => {
      throw new AppError(fileErrors.exportGone)
    })
    return new RawAnswer((reply) => attachment(reply, file.name, stored))
  })
}

/** Rows go before their bytes: what nobody can ask for any more is removed. */
export const removeExpired = async ({ db, files }: Services) => {
  for (let expired = await takeExpired(db); expired.length > 0; expired = await takeExpired(db))
    await removeStored(files, expired)
}
