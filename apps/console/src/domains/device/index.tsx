import type { Screen } from '../../shell/screens.ts'

const list = '/device/list'

export const screens: Screen[] = [
  {
    path: list,
    load: () => import('./list/DevicesScreen.tsx'),
    titleKey: 'device.title',
    perm: 'device:list:list',
  },
  {
    path: '/device/list/detail/:sn',
    load: () => import('./detail/DetailScreen.tsx'),
    titleKey: 'deviceDetail.title',
    parentPath: list,
    perm: 'device:list:detail',
  },
  {
    path: '/device/traffic/:sn',
    load: () => import('./traffic/TrafficScreen.tsx'),
    titleKey: 'deviceTraffic.title',
    parentPath: list,
    perm: 'device:traffic:list',
  },
  {
    path: '/device/kiosk/:sn',
    load: () => import('./kiosk/KioskScreen.tsx'),
    titleKey: 'deviceKiosk.title',
    parentPath: list,
    perm: 'device:list:kiosk',
  },
]
