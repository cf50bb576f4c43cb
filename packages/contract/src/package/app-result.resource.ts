import { defineResource } from '../kit/index.ts'
import { releaseResultFields, resultActions } from '../release/release.results.ts'
import { appRelease } from './app.release.ts'

/** What became of apps on each device. */
export const appResult = defineResource({
  name: 'appResult',
  wire: { path: '/api/v3/device/apk/result' },
  fields: releaseResultFields,
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
