import type { Screen } from '../../shell/screens.ts'

export const standsOn = ['release']

export const screens: Screen[] = [
  {
    path: '/IOT/apk/list',
    load: () => import('./AppsScreen.tsx'),
    titleKey: 'appPackage.title',
    perm: 'iot:apk:list',
  },
  {
    path: '/IOT/apk/store',
    load: () => import('./StoreScreen.tsx'),
    titleKey: 'storeApp.title',
    perm: 'iot:store:list',
  },
  {
    path: '/IOT/apk/storeOld',
    load: () => import('./StoreOldScreen.tsx'),
    titleKey: 'storeAppOld.title',
    perm: 'iot:storeOld:list',
  },
  {
    path: '/IOT/apk/release/:id',
    load: () => import('./AppReleaseScreen.tsx'),
    titleKey: 'appPackage.action.release',
    parentPath: '/IOT/apk/list',
    perm: 'iot:apk:release',
  },
  {
    path: '/IOT/apk/batchRelease',
    load: () => import('./AppBatchScreen.tsx'),
    titleKey: 'menu.entry.appBatch',
    perm: 'iot:apkBatch:list',
  },
  {
    path: '/IOT/apk/history',
    load: () => import('./AppHistoryScreen.tsx'),
    titleKey: 'appHistory.title',
    perm: 'iot:apkHistory:list',
  },
  {
    path: '/IOT/apk/history/:id',
    load: () => import('./AppHistoryDetailScreen.tsx'),
    titleKey: 'appResult.title',
    parentPath: '/IOT/apk/history',
    perm: 'iot:apkHistory:list',
  },
  {
    path: '/IOT/apk/download',
    load: () => import('./AppDownloadsScreen.tsx'),
    titleKey: 'appDownload.title',
    perm: 'iot:apkDownload:list',
  },
  {
    path: '/IOT/apk/statistics',
    load: () => import('./AppStatisticsScreen.tsx'),
    titleKey: 'appStatistic.title',
    perm: 'iot:apkStat:list',
  },
  {
    path: '/IOT/apk/statistics/:key',
    load: () => import('./AppCountedScreen.tsx'),
    titleKey: 'appResult.title',
    parentPath: '/IOT/apk/statistics',
    perm: 'iot:apkHistory:list',
  },
]
