import type { Screen } from '../../shell/screens.ts'

export const standsOn = ['device', 'file']

export const screens: Screen[] = [
  {
    path: '/release/list',
    load: () => import('./list/ReleasesScreen.tsx'),
    titleKey: 'release.title',
    perm: 'release:list:list',
  },
  {
    path: '/release/detail/:id',
    load: () => import('./detail/ReleaseDetailScreen.tsx'),
    titleKey: 'releaseDevice.title',
    parentPath: '/release/list',
    perm: 'release:list:detail',
  },
]
