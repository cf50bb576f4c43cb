import type { licenceStates } from '@campanile/contract/licence'
import { type Reader, SoftTag } from '../../kit/index.ts'

type State = (typeof licenceStates)[number]
const tones = { active: 'good', expiring: 'warning', expired: 'bad', disabled: 'off', revoked: 'off' } as const

export function LicenceState({ state, reader }: { state: State; reader: Reader }) {
  return <SoftTag tone={tones[state]}>{reader.option('state', state)}</SoftTag>
}
