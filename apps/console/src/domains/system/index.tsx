import type { Screen } from '../../shell/screens.ts'

export const screens: Screen[] = [
  {
    path: '/system/announcement',
    load: () => import('./AnnouncementScreen.tsx'),
    titleKey: 'announcement.title',
    perm: 'system:announcement:list',
  },
  {
    path: '/system/config/dictionary',
    load: () => import('./DictionaryScreen.tsx'),
    titleKey: 'dictionaryItem.title',
    parentPath: '/system/config',
    perm: 'system:config:list',
  },
]
