import { defineRoom } from '../../room.ts'
import { mountFiles } from './file.routes.ts'

export { insertDeviceFile } from './file.store.ts'

/** Files people find again: exports, failed rows of imports, what devices sent. */
export const file = defineRoom({ word: 'file', after: [], tables: ['export_file'], mount: mountFiles })
