import { type loginStates, user } from '@campanile/contract/identity'
import { StateMark, useReader } from '../../../kit/index.ts'

type State = (typeof loginStates)[number]

const tones = { normal: 'good', locked: 'bad', disabled: 'off', expired: 'warning' } as const

/** Whether somebody can sign in, and if not, why (behaviour: sign-in.state). */
export function LoginState({ state }: { state: State }) {
  return <StateMark tone={tones[state]}>{useReader(user).option('loginStatus', state)}</StateMark>
}
