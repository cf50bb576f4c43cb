import { defineResource, readOnly, ref, untold } from '../kit/index.ts'
import { releaseResultFields, resultActions } from '../release/release.results.ts'
import { firmwareRelease } from './firmware.release.ts'
import { otaHistory } from './ota-history.resource.ts'

/** What became of firmware on each device. */
export const otaResult = defineResource({
  name: 'otaResult',
  wire: { path: '/api/v3/device/ota/result' },
  // Of its own history: whoever asks for a release is offered none of another kind.
  fields: { ...releaseResultFields, releaseId: untold(readOnly(ref(() => otaHistory))) },
  list: {
    columns: [
      'sn',
      'itemName',
      'itemVersion',
      'oldVersion',
      'newVersion',
      'state',
      'percent',
      'changeTime',
      'reason',
      'detail',
      'number',
      'departmentId',
      'createTime',
    ],
    hidden: ['itemName', 'itemVersion', 'number', 'departmentId', 'createTime'],
    card: ['state', 'reason', 'changeTime'],
    filters: ['sn', 'state', 'reason', 'createTime', 'itemKey', 'releaseId'],
    sort: '-changeTime',
    views: { state: ['failed', 'pendingRetry'] },
  },
  perms: { list: 'iot:otaHistory:detail', export: 'iot:otaHistory:export' },
  scope: 'organisation',
  actions: resultActions(firmwareRelease.perms, firmwareRelease.errors),
})
