import { defineResource, longText, optional, readOnly, text, unsorted } from '../kit/index.ts'
import { releaseActions, releaseFields } from '../release/release.resource.ts'
import { firmwareRelease } from './firmware.release.ts'

/** Releases of firmware, for those who look after firmware alone. */
export const otaHistory = defineResource({
  name: 'otaHistory',
  wire: { path: '/api/v3/device/ota/histories', listKey: 'otaHistorys' },
  fields: {
    ...releaseFields,
    model: readOnly(text(64)),
    /** What its devices had when they were chosen, with commas between. */
    fromVersions: readOnly(unsorted(optional(longText(512)))),
  },
  list: {
    columns: [
      'number',
      'itemName',
      'model',
      'fromVersions',
      'itemVersion',
      'action',
      'state',
      'total',
      'succeeded',
      'failed',
      'progress',
      'mode',
      'creatorName',
      'createTime',
    ],
    hidden: ['model', 'action', 'state', 'creatorName'],
    card: ['itemName', 'progress', 'createTime'],
    filters: ['model', 'progress', 'itemName', 'taskProgress', 'sn', 'createTime'],
    sort: '-createTime',
  },
  perms: { list: firmwareRelease.perms.list, export: 'iot:otaHistory:export' },
  scope: 'organisation',
  menu: { key: 'otaHistory', under: 'otaGroup', url: '/IOT/ota/history', icon: 'task' },
  actions: releaseActions({
    control: firmwareRelease.perms.release,
    cancel: firmwareRelease.perms.cancel,
    retry: firmwareRelease.perms.retry,
  }),
})
