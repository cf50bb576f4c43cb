import type { Screen } from '../../shell/screens.ts'

export const standsOn = ['device']

export const screens: Screen[] = [
  {
    path: '/activation/code',
    load: () => import('./ActivationCodesScreen.tsx'),
    titleKey: 'activationCode.title',
    perm: 'activation:code:list',
  },
]
