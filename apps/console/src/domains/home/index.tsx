import type { Screen } from '../../shell/screens.ts'

export const standsOn = ['activation', 'device', 'identity', 'licence', 'organisation', 'system']

export const screens: Screen[] = [{ path: '/home', load: () => import('./HomeScreen.tsx'), titleKey: 'home.title' }]
