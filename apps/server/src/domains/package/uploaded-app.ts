import { AppError, packageErrors } from '@campanile/contract'
import type { Call } from '../../kit/call.ts'
import type { FileRoom } from '../file/index.ts'
import { type ReadApp, readApp } from './read-app.ts'

/** An app that has come to the server, and where its bytes are kept. */
export interface UploadedApp {
  readonly contentId: number
  /** Within it an app is known by its package. */
  readonly enterpriseId: number
  readonly size: number
  readonly sha256: Buffer
  readonly read: ReadApp
}

type Kept = Awaited<ReturnType<FileRoom['takeUpload']>>

const readKept = ({ size, readAt }: Kept) => readApp({ size, read: readAt })

const appOf = ({ contentId, enterpriseId, size, sha256 }: Kept, read: ReadApp): UploadedApp => {
  if (enterpriseId === undefined) throw new AppError(packageErrors.noPermission)
  return { contentId, enterpriseId, size, sha256: Buffer.from(sha256, 'hex'), read }
}

/**
 * Reads what was uploaded, and hands it to whoever makes a row of it. Devices install the app itself: one that lies
 * in an archive is taken out of it and kept instead of the archive.
 */
export const createUploadedApps = (file: FileRoom) => ({
  take: async <T>(
    call: Call,
    { uploadId, departmentId }: { readonly uploadId: number; readonly departmentId: number },
    keep: (app: UploadedApp) => Promise<T>,
  ): Promise<T> => {
    const upload = await file.takeUpload(call, uploadId, 'package', departmentId)
    const found = await readKept(upload)
    if (!('packed' in found)) return keep(appOf(upload, found))
    const unpacked = await file.keepBytes(call.db, departmentId, found.packed(), upload.name)
    try {
      const read = await readKept(unpacked)
      if ('packed' in read) throw new Error('an app that was taken out of its archive lies in another one')
      return await keep(appOf(unpacked, read))
    } catch (error) {
      await unpacked.discard()
      throw error
    }
  },
})
