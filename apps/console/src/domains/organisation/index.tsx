import type { Screen } from '../../shell/screens.ts'

export const standsOn = ['identity']

export const screens: Screen[] = [
  {
    path: '/org/list',
    load: () => import('./OrganisationListScreen.tsx'),
    titleKey: 'organisation.title',
    perm: 'org:list:list',
  },
  {
    path: '/org/view/:id',
    load: () => import('./OrganisationViewScreen.tsx'),
    titleKey: 'organisation.view.title',
    parentPath: '/org/list',
    perm: 'org:list:list',
  },
  {
    path: '/org/tree',
    load: () => import('./OrganisationTreeScreen.tsx'),
    titleKey: 'organisation.tree.title',
    perm: 'org:tree:list',
  },
]
