import type { Screen } from '../../shell/screens.ts'
import { loadTexts } from '../../shell/texts.ts'

export const standsOn = ['command', 'spoken']

const list = '/device/list'
const groups = '/device/group'

export const screens: Screen[] = [
  {
    path: list,
    load: () => import('./list/DevicesScreen.tsx'),
    titleKey: 'device.title',
    perm: 'device:list:list',
  },
  {
    path: '/device/list/detail/:sn',
    // It also tells why a device was turned away, which no list of devices does.
    load: async () => (await Promise.all([import('./detail/DetailScreen.tsx'), loadTexts(['refused', 'system'])]))[0],
    titleKey: 'deviceDetail.title',
    parentPath: list,
    perm: 'device:list:detail',
  },
  {
    path: '/device/traffic',
    load: () => import('./traffic/FleetTrafficScreen.tsx'),
    titleKey: 'deviceTraffic.byApp',
    parentPath: list,
    perm: 'device:traffic:list',
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
    perm: 'device:kiosk:view',
  },
  {
    path: groups,
    load: () => import('./group/GroupsScreen.tsx'),
    titleKey: 'deviceGroup.title',
    perm: 'device:group:list',
  },
  {
    path: '/device/groupDevice',
    load: () => import('./group/GroupDevicesScreen.tsx'),
    titleKey: 'groupDevice.title',
    parentPath: groups,
    perm: 'device:group:list',
  },
  {
    path: '/device/groupDevice/:groupId',
    load: () => import('./group/GroupDevicesScreen.tsx'),
    titleKey: 'groupDevice.title',
    parentPath: groups,
    perm: 'device:group:list',
  },
  {
    path: '/device/robot',
    load: () => import('./special/RobotsScreen.tsx'),
    titleKey: 'robot.title',
    perm: 'device:robot:list',
  },
  {
    path: '/device/selfService',
    load: () => import('./special/SelfServiceScreen.tsx'),
    titleKey: 'selfService.title',
    perm: 'device:selfService:list',
  },
  {
    path: '/device/videoPhone',
    load: () => import('./special/VideoPhonesScreen.tsx'),
    titleKey: 'videoPhone.title',
    perm: 'device:videoPhone:list',
  },
]
