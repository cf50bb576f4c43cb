import { choice, defineResource, readOnly } from '../kit/index.ts'
import { releaseResults } from '../release/release.machine.ts'
import { releaseResultFields, resultActions } from '../release/release.results.ts'
import { posterRelease } from './poster.release.ts'

/** What became of posters on each device. */
export const posterResult = defineResource({
  name: 'posterResult',
  wire: { path: '/api/v3/device/sliders/result' },
  fields: { ...releaseResultFields, result: readOnly(choice(releaseResults)) },
  list: {
    columns: [
      'sn',
      'itemName',
      'action',
      'result',
      'changeTime',
      'reason',
      'detail',
      'number',
      'departmentId',
      'createTime',
    ],
    hidden: ['itemName', 'number', 'departmentId', 'createTime'],
    card: ['result', 'reason', 'changeTime'],
    filters: ['sn', 'result', 'reason', 'action', 'createTime', 'itemKey'],
    sort: '-changeTime',
    views: { result: ['failure', 'pendingRetry'] },
  },
  perms: { list: 'slider:result:list', export: 'slider:result:export' },
  scope: 'organisation',
  actions: resultActions(posterRelease.perms, posterRelease.errors),
})
