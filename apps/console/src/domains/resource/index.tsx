import type { Screen } from '../../shell/screens.ts'

export const standsOn = ['release']

export const screens: Screen[] = [
  {
    path: '/custom/resource',
    load: () => import('./ResourceScreen.tsx'),
    titleKey: 'customResource.title',
    perm: 'custom:resource:list',
  },
  {
    path: '/custom/batchRelease',
    load: () => import('./ResourceBatchScreen.tsx'),
    titleKey: 'menu.entry.resourceBatch',
    perm: 'custom:batchRelease:list',
  },
  {
    path: '/custom/release',
    load: () => import('./ReleasedScreen.tsx'),
    titleKey: 'resourceReleased.title',
    perm: 'custom:release:list',
  },
  {
    path: '/custom/statistics',
    load: () => import('./ResourceStatisticsScreen.tsx'),
    titleKey: 'resourceStatistic.title',
    perm: 'custom:statistics:list',
  },
  {
    path: '/custom/statistics/:key',
    load: () => import('./ResourceCountedScreen.tsx'),
    titleKey: 'resourceReleased.title',
    parentPath: '/custom/statistics',
    perm: 'custom:release:list',
  },
]
