import { defineRoom } from '../../room.ts'
import { identity } from '../identity/index.ts'
import { needsOfFiles } from './file.needs.ts'
import { mountFiles, removeExpired } from './file.routes.ts'
import { mountUploads, removeUnneeded } from './upload.routes.ts'

export { insertDeviceFile } from './file.store.ts'
export { fileRecords } from './file-records.ts'

export type Files = ReturnType<typeof mountUploads>

/** Files people find again: exports, failed rows of imports, what devices sent; and the bytes that rows of other rooms stand for. */
export const file = defineRoom({
  word: 'file',
  after: [identity],
  tables: ['export_file', 'content', 'upload', 'discarded_content'],
  jobs: [
    { name: 'removing expired files', everyMs: 3_600_000, run: removeExpired },
    { name: 'removing files that nobody needs', everyMs: 3_600_000, run: removeUnneeded },
  ],
  needs: needsOfFiles,
  offers: ['takeUpload', 'contentFor', 'sendContent', 'linkFor'],
  mount: (services) => {
    mountFiles(services)
    return mountUploads(services)
  },
})
