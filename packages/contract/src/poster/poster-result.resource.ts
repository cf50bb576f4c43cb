import { defineResource } from '../kit/index.ts'
import { resultActions, shownResultFields } from '../release/release.results.ts'
import { posterRelease } from './poster.release.ts'

/** What became of posters on each device. */
export const posterResult = defineResource({
  name: 'posterResult',
  wire: { path: '/api/v3/device/sliders/result' },
  fields: shownResultFields,
  list: {
    columns: [
      'sn',
      'itemName',
      'action',
      'state',
      'changeTime',
      'reason',
      'detail',
      'number',
      'departmentId',
      'createTime',
    ],
    hidden: ['itemName', 'number', 'departmentId', 'createTime'],
    card: ['state', 'reason', 'changeTime'],
    filters: ['sn', 'state', 'reason', 'action', 'createTime', 'itemKey'],
    sort: '-changeTime',
    views: { state: ['failed', 'pendingRetry'] },
  },
  perms: { list: 'slider:result:list', export: 'slider:result:export' },
  scope: 'organisation',
  actions: resultActions(posterRelease.perms, posterRelease.errors),
})
