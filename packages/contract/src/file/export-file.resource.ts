import { serial } from '../device/facts.ts'
import { choice, defineResource, longText, number, optional, readOnly, text, timestamp } from '../kit/index.ts'

/** Being written, ready, or not to be had. */
export const fileStates = ['inProgress', 'complete', 'abnormal'] as const

/** A file somebody asked for or a device sent: exports, failed import rows, logs. Removed when it expires. */
export const exportFile = defineResource({
  name: 'exportFile',
  wire: { path: '/api/v1/exportFileLogs', listKey: 'exportFileLogs' },
  fields: {
    name: readOnly(text(255)),
    type: readOnly(choice(['export', 'importResult', 'deviceLog', 'screenshot'])),
    sn: readOnly(optional(serial())),
    state: readOnly(choice(fileStates)),
    progress: readOnly(optional(number(0, 100))),
    rowCount: readOnly(optional(number(0, Number.MAX_SAFE_INTEGER))),
    size: readOnly(optional(number(0, Number.MAX_SAFE_INTEGER))),
    creatorName: readOnly(optional(text())),
    createTime: readOnly(timestamp()),
    expireTime: readOnly(optional(timestamp())),
    description: readOnly(optional(longText(256))),
  },
  list: {
    columns: [
      'name',
      'type',
      'sn',
      'state',
      'rowCount',
      'size',
      'creatorName',
      'createTime',
      'expireTime',
      'description',
    ],
    filters: ['name', 'type', 'sn', 'state', 'createTime'],
    sort: '-createTime',
  },
  perms: { list: 'iot:files:list', remove: 'iot:files:delete' },
  scope: 'organisation',
})
