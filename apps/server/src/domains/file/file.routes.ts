import { AppError, downloadFile, fileErrors } from '@campanile/contract'
import { RawAnswer } from '../../kit/answer.ts'
import type { Call } from '../../kit/call.ts'
import { attachment } from '../../kit/export/download.ts'
import { byDefault, mount } from '../../kit/mount.ts'
import { removeRows } from '../../kit/rows.ts'
import type { Services } from '../../services.ts'
import { exportFiles, findFile, lockFiles, takeExpired } from './file.store.ts'

const hourMs = 3_600_000

/** Exports, failed import rows, logs of devices: found here by whoever asked for them until they expire. */
export const mountFiles = ({ kit, files, jobs, db }: Services) => {
  const removeStored = (keys: readonly (string | null)[]) =>
    Promise.all(keys.map((key) => (key ? files.remove(key) : undefined)))

  mount(kit, exportFiles, {
    list: byDefault,
    remove: async (call: Call<number[]>) => {
      const found = await lockFiles(call.db, call.scope, call.input)
      const names = await removeRows(call.db, exportFiles, call.scope, call.input)
      call.note({ description: names.join(', ') })
      // Not before: a row without its file is repaired by nobody, a file without its row by the sweeper of old keys.
      call.afterCommit(() => removeStored(found.map((file) => file.storedAs)))
      return { removed: names.length }
    },
  })

  kit.guarded(downloadFile, 'exportFile', async (call) => {
    const file = await findFile(call.db, call.scope, call.input.id)
    if (!file?.storedAs || file.state !== 'complete') throw new AppError(fileErrors.exportGone)
    call.note({ description: file.name })
    const stored = await files.read(file.storedAs).catch(() => {
      throw new AppError(fileErrors.exportGone)
    })
    return new RawAnswer((reply) => attachment(reply, file.name, stored))
  })

  jobs.every('removing expired files', hourMs, async () => {
    for (let expired = await takeExpired(db); expired.length > 0; expired = await takeExpired(db))
      await removeStored(expired.map((file) => file.storedAs))
  })
}
