import { defineRoom } from '../../room.ts'
import { identity } from '../identity/index.ts'
import { needsOfFiles } from './file.needs.ts'
import { mountFiles, removeExpired } from './file.routes.ts'

export { insertDeviceFile } from './file.store.ts'
export { fileRecords } from './file-records.ts'

/** Files people find again: exports, failed rows of imports, what devices sent. */
export const file = defineRoom({
  word: 'file',
  after: [identity],
  tables: ['export_file'],
  jobs: [{ name: 'removing expired files', everyMs: 3_600_000, run: removeExpired }],
  needs: needsOfFiles,
  mount: mountFiles,
})
