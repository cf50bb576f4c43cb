import type { Screen } from '../../shell/screens.ts'

export const standsOn = ['device']

export const screens: Screen[] = [
  {
    path: '/device/license/iot',
    load: () => import('./IotLicencesScreen.tsx'),
    titleKey: 'iotLicence.title',
    perm: 'license:iot:list',
  },
  {
    path: '/device/license/im',
    load: () => import('./ImLicencesScreen.tsx'),
    titleKey: 'imLicence.title',
    perm: 'license:im:list',
  },
  {
    path: '/device/license/health',
    load: () => import('./HealthLicencesScreen.tsx'),
    titleKey: 'healthLicence.title',
    perm: 'license:health:list',
  },
]
