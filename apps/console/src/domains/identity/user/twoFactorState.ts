import type { user } from '@campanile/contract/identity'
import type { Row } from '@campanile/contract/kit'

/** Off, asked for by an administrator and not set up yet, or on. */
export const twoFactorState = ({ enable2fa, twoFactorWanted }: Row<typeof user>) =>
  enable2fa ? 'on' : twoFactorWanted ? 'wanted' : 'off'

export const twoFactorTones = { on: 'good', wanted: 'warning', off: 'off' } as const
