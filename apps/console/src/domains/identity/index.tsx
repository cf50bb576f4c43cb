import type { Screen } from '../../shell/screens.ts'

export const screens: Screen[] = [
  {
    path: '/system/user',
    load: () => import('./user/UsersScreen.tsx'),
    titleKey: 'user.title',
    perm: 'system:user:list',
  },
  {
    path: '/system/role',
    load: () => import('./role/RolesScreen.tsx'),
    titleKey: 'role.title',
    perm: 'system:role:list',
  },
  {
    path: '/system/menu',
    load: () => import('./menu/MenusScreen.tsx'),
    titleKey: 'menu.title',
    perm: 'system:menu:list',
  },
  { path: '/personal', load: () => import('./personal/PersonalScreen.tsx'), titleKey: 'personal.title' },
  { path: '/personal/profile', load: () => import('./personal/ProfileScreen.tsx'), titleKey: 'personal.profile.title' },
]
