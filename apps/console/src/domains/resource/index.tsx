import type { Screen } from '../../shell/screens.ts'

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
]
