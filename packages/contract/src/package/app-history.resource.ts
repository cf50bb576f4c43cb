import { defineResource } from '../kit/index.ts'
import { releaseActions, releaseFields } from '../release/release.resource.ts'
import { appRelease } from './app.release.ts'
import { packageErrors } from './package.errors.ts'

/** Releases of apps, for those who look after apps alone. */
export const appHistory = defineResource({
  name: 'appHistory',
  wire: { path: '/api/v3/device/apk/histories', listKey: 'apkHistorys', pageCode: packageErrors.pageSizeWrong.code },
  fields: releaseFields,
  list: {
    columns: [
      'number',
      'itemName',
      'itemVersion',
      'action',
      'state',
      'total',
      'succeeded',
      'failed',
      'progress',
      'mode',
      'installMode',
      'creatorName',
      'createTime',
    ],
    hidden: ['installMode'],
    card: ['itemName', 'progress', 'createTime'],
    filters: ['itemName', 'progress', 'taskProgress', 'sn', 'createTime'],
    sort: '-createTime',
  },
  perms: { list: appRelease.perms.list, export: 'iot:apkHistory:export' },
  scope: 'organisation',
  menu: { key: 'appHistory', under: 'appGroup', url: '/IOT/apk/history', icon: 'task' },
  actions: releaseActions({
    control: appRelease.perms.release,
    cancel: appRelease.perms.cancel,
    retry: appRelease.perms.retry,
  }),
})
