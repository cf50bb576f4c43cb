import { device, type iotStates } from '@campanile/contract'
import { StateMark, useReader } from '../../../kit/index.ts'

type IotState = (typeof iotStates)[number]
const tones = { online: 'good', offline: 'off', flapping: 'warning' } as const

/** Whether a device is there, as a shape, a colour and a word. */
export function IotStatus({ state }: { state: IotState }) {
  const reader = useReader(device)
  return <StateMark tone={tones[state]}>{reader.option('iotStatus', state)}</StateMark>
}
