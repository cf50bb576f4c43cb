import type { Screen } from '../../shell/screens.ts'

export const standsOn = ['command', 'config', 'spoken']

export const screens: Screen[] = [
  {
    path: '/system/announcement',
    load: () => import('./AnnouncementScreen.tsx'),
    titleKey: 'announcement.title',
    perm: 'notice:announcement:list',
  },
  {
    path: '/system/config',
    load: () => import('./ConfigScreen.tsx'),
    titleKey: 'config.title',
    perm: 'system:config:list',
  },
  {
    path: '/system/log',
    load: () => import('./OperationLogScreen.tsx'),
    titleKey: 'operationLog.title',
    perm: 'system:log:list',
  },
]
