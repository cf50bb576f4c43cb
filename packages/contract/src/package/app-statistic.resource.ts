import { defineResource } from '../kit/index.ts'
import { releaseStatisticFields } from '../release/release.results.ts'

/** How often each app was released to be installed, whichever its version, and on how many devices it came. */
export const appStatistic = defineResource({
  name: 'appStatistic',
  wire: { path: '/api/v3/device/apk/statistics' },
  fields: releaseStatisticFields,
  list: {
    columns: [
      'itemName',
      'itemVersion',
      'versions',
      'releases',
      'total',
      'succeeded',
      'failed',
      'pending',
      'cancelled',
      'rate',
      'createTime',
    ],
    hidden: ['itemVersion', 'cancelled'],
    card: ['releases', 'succeeded', 'rate'],
    filters: ['itemName', 'createTime'],
    sort: '-createTime',
  },
  perms: { list: 'iot:apkStat:list', export: 'iot:apkStat:export' },
  scope: 'organisation',
  menu: { key: 'appStatistics', under: 'appGroup', url: '/IOT/apk/statistics', icon: 'analytics' },
})
