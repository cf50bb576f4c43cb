import type { Screen } from '../../shell/screens.ts'

export const standsOn = ['file', 'resource']

export const screens: Screen[] = [
  {
    path: '/custom/upload',
    load: () => import('./UploadScreen.tsx'),
    titleKey: 'upload.title',
    parentPath: '/custom/resource',
    perm: 'custom:upload:add',
  },
]
