import { defineRoom } from '../../room.ts'
import { identity } from '../identity/index.ts'
import { mountFiles } from './file.routes.ts'

export { fileRecords } from './file-records.ts'
export { insertDeviceFile } from './file.store.ts'

/** Files people find again: exports, failed rows of imports, what devices sent. */
export const file = defineRoom({ word: 'file', after: [identity], tables: ['export_file'], mount: mountFiles })
