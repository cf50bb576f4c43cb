import { activationStates, device, type iotStates } from '@campanile/contract/device'
import { type Reader, StateMark, useReader } from '../../../kit/index.ts'
import { useServing } from '../../../shell/serving.ts'

type IotState = (typeof iotStates)[number]
const tones = { online: 'good', offline: 'off', flapping: 'warning' } as const

interface Props {
  state: IotState
  /** One that was never activated is not offline: nobody waits for it yet. */
  activation: number | undefined
}

/** Whether a device is there, as a shape, a colour and a word. While devices are not being served, nobody knows. */
export function IotStatus(props: Props) {
  return <IotStatusIn {...props} reader={useReader(device)} />
}

/** The same in a row of many: each reader of its own would listen to the language and the code tables. */
export function IotStatusIn({ state, activation, reader }: Props & { reader: Reader }) {
  const isKnown = useServing(({ notServedSince }) => notServedSince === null)
  const word = reader.option('iotStatus', state)
  if (state === 'offline' && activation === activationStates.notActivated)
    return <StateMark tone="off">{reader.option('activationStatus', activation)}</StateMark>
  if (state === 'offline')
    return (
      <span title={reader.t('device.offlineMeans')}>
        <StateMark tone={tones[state]}>{word}</StateMark>
      </span>
    )
  if (isKnown) return <StateMark tone={tones[state]}>{word}</StateMark>
  return (
    <span title={reader.t('device.notServed.was', { state: word })}>
      <StateMark tone="off">{reader.t('device.notServed.unknown')}</StateMark>
    </span>
  )
}
