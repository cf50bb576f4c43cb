import { defineResource, readOnly, text } from '../kit/index.ts'
import { releaseStatisticFields } from '../release/release.results.ts'

/** What became of each firmware package on all devices it was released to. */
export const otaStatistic = defineResource({
  name: 'otaStatistic',
  wire: { path: '/api/v3/device/ota/statistics' },
  fields: { ...releaseStatisticFields, model: readOnly(text(64)) },
  list: {
    columns: [
      'itemName',
      'itemVersion',
      'model',
      'releases',
      'total',
      'succeeded',
      'failed',
      'pending',
      'cancelled',
      'rate',
      'createTime',
    ],
    hidden: ['model', 'releases', 'cancelled'],
    card: ['total', 'succeeded', 'rate'],
    filters: ['model', 'createTime', 'itemName'],
    sort: '-createTime',
  },
  perms: { list: 'iot:otaStat:list', export: 'iot:otaStat:export' },
  scope: 'organisation',
  menu: { key: 'otaStatistics', under: 'otaGroup', url: '/IOT/ota/statistics', icon: 'analytics' },
})
