import type { Screen } from '../../shell/screens.ts'

export const screens: Screen[] = [
  {
    path: '/custom/resource',
    load: () => import('./ResourceScreen.tsx'),
    titleKey: 'customResource.title',
    perm: 'custom:resource:list',
  },
]
