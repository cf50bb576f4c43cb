import type { Screen } from '../../shell/screens.ts'

export const screens: Screen[] = [
  {
    path: '/IOT/files/list',
    load: () => import('./FilesScreen.tsx'),
    titleKey: 'exportFile.title',
    perm: 'iot:files:list',
  },
]
