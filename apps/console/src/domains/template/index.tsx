import type { Screen } from '../../shell/screens.ts'

export const screens: Screen[] = [
  {
    path: '/config/template',
    load: () => import('./TemplatesScreen.tsx'),
    titleKey: 'configTemplate.title',
    perm: 'config:template:list',
  },
  {
    path: '/config/template/devices/:id',
    load: () => import('./TemplateDevicesScreen.tsx'),
    titleKey: 'templateDevice.title',
    parentPath: '/config/template',
    perm: 'config:template:list',
  },
]
