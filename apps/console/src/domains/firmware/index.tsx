import type { Screen } from '../../shell/screens.ts'

export const standsOn = ['release']

export const screens: Screen[] = [
  {
    path: '/IOT/ota/list',
    load: () => import('./FirmwareScreen.tsx'),
    titleKey: 'firmware.title',
    perm: 'iot:ota:list',
  },
  {
    path: '/IOT/ota/batchRelease',
    load: () => import('./FirmwareBatchScreen.tsx'),
    titleKey: 'menu.entry.firmwareBatch',
    perm: 'iot:otaBatch:list',
  },
  {
    path: '/IOT/ota/history',
    load: () => import('./OtaHistoryScreen.tsx'),
    titleKey: 'otaHistory.title',
    perm: 'iot:otaHistory:list',
  },
  {
    path: '/IOT/ota/history/:id',
    load: () => import('./OtaHistoryDetailScreen.tsx'),
    titleKey: 'otaResult.title',
    parentPath: '/IOT/ota/history',
    perm: 'iot:otaHistory:detail',
  },
  {
    path: '/IOT/ota/statistics',
    load: () => import('./OtaStatisticsScreen.tsx'),
    titleKey: 'otaStatistic.title',
    perm: 'iot:otaStat:list',
  },
  {
    path: '/IOT/ota/statistics/:key',
    load: () => import('./OtaCountedScreen.tsx'),
    titleKey: 'otaResult.title',
    parentPath: '/IOT/ota/statistics',
    perm: 'iot:otaHistory:detail',
  },
]
