import type { Screen } from '../../shell/screens.ts'

export const standsOn = ['release']

export const screens: Screen[] = [
  {
    path: '/slider/list',
    load: () => import('./PostersScreen.tsx'),
    titleKey: 'poster.title',
    perm: 'slider:list:list',
  },
  {
    path: '/slider/result/:id',
    load: () => import('./PosterResultsScreen.tsx'),
    titleKey: 'posterResult.title',
    parentPath: '/slider/list',
    perm: 'slider:result:list',
  },
  {
    path: '/promotion/list',
    load: () => import('./PromotionsScreen.tsx'),
    titleKey: 'promotion.title',
    perm: 'promotion:list:list',
  },
]
