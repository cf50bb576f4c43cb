import type { Screen } from '../../shell/screens.ts'

export const standsOn = ['activation', 'command', 'config', 'device', 'licence', 'organisation', 'spoken', 'system']

export const screens: Screen[] = [{ path: '/home', load: () => import('./HomeScreen.tsx'), titleKey: 'home.title' }]
