import { device, type iotStates } from '@campanile/contract/device'
import { type Reader, StateMark, useReader } from '../../../kit/index.ts'
import { useServing } from '../../../shell/serving.ts'

type IotState = (typeof iotStates)[number]
const tones = { online: 'good', offline: 'off', flapping: 'warning' } as const

/** Whether a device is there, as a shape, a colour and a word. While devices are not being served, nobody knows. */
export function IotStatus({ state }: { state: IotState }) {
  return <IotStatusIn state={state} reader={useReader(device)} />
}

/** The same in a row of many: each reader of its own would listen to the language and the code tables. */
export function IotStatusIn({ state, reader }: { state: IotState; reader: Reader }) {
  const isKnown = useServing(({ notServedSince }) => notServedSince === null)
  const word = reader.option('iotStatus', state)
  if (isKnown || state === 'offline') return <StateMark tone={tones[state]}>{word}</StateMark>
  return (
    <span title={reader.t('device.notServed.was', { state: word })}>
      <StateMark tone="off">{reader.t('device.notServed.unknown')}</StateMark>
    </span>
  )
}
