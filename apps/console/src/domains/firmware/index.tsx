import type { Screen } from '../../shell/screens.ts'

export const standsOn = ['release']

export const screens: Screen[] = [
  {
    path: '/IOT/ota/list',
    load: () => import('./FirmwareScreen.tsx'),
    titleKey: 'firmware.title',
    perm: 'iot:ota:list',
  },
  {
    path: '/IOT/ota/batchRelease',
    load: () => import('./FirmwareBatchScreen.tsx'),
    titleKey: 'menu.entry.firmwareBatch',
    perm: 'iot:otaBatch:list',
  },
]
