import type { Screen } from '../../shell/screens.ts'

export const screens: Screen[] = [{ path: '/home', load: () => import('./HomeScreen.tsx'), titleKey: 'home.title' }]
