import { defineResource } from '../kit/index.ts'
import { releaseStatisticFields } from '../release/release.results.ts'

/** What became of each resource on all devices it was released to. */
export const resourceStatistic = defineResource({
  name: 'resourceStatistic',
  wire: { path: '/api/v3/device/rcm/statistics' },
  fields: releaseStatisticFields,
  list: {
    columns: [
      'itemName',
      'itemVersion',
      'releases',
      'total',
      'succeeded',
      'failed',
      'pending',
      'cancelled',
      'rate',
      'createTime',
    ],
    hidden: ['releases', 'cancelled'],
    card: ['total', 'succeeded', 'rate'],
    filters: ['itemName', 'createTime'],
    sort: '-createTime',
  },
  perms: { list: 'custom:statistics:list', export: 'custom:statistics:export' },
  scope: 'organisation',
  menu: { key: 'resourceStatistics', under: 'iot', url: '/custom/statistics', icon: 'analytics' },
})
