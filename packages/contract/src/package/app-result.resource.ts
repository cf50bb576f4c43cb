import { defineResource, readOnly, ref, untold } from '../kit/index.ts'
import { releaseResultFields, resultActions } from '../release/release.results.ts'
import { appRelease } from './app.release.ts'
import { appHistory } from './app-history.resource.ts'

/** What became of apps on each device. */
export const appResult = defineResource({
  name: 'appResult',
  wire: { path: '/api/v3/device/apk/result' },
  // Of its own history: whoever asks for a release is offered none of another kind.
  fields: { ...releaseResultFields, releaseId: untold(readOnly(ref(() => appHistory))) },
  list: {
    columns: [
      'sn',
      'itemName',
      'itemVersion',
      'action',
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
    hidden: ['itemName', 'itemVersion', 'action', 'number', 'departmentId', 'createTime'],
    card: ['state', 'reason', 'changeTime'],
    filters: ['sn', 'state', 'reason', 'action', 'createTime', 'itemKey', 'releaseId'],
    sort: '-changeTime',
    views: { state: ['failed', 'pendingRetry'] },
  },
  perms: { list: appRelease.perms.list, export: 'iot:apkHistory:export' },
  scope: 'organisation',
  actions: resultActions(appRelease.perms, appRelease.errors),
})
