import { type CommandState, deviceTask, type progressStates, taskDevice } from '@campanile/contract'
import { StateMark, useReader } from '../../../kit/index.ts'

const ofCommand = {
  queued: 'off',
  sent: 'accent',
  acknowledged: 'accent',
  done: 'good',
  failed: 'bad',
  expired: 'warning',
  cancelled: 'off',
} as const
const ofTask = { inProgress: 'accent', success: 'good', failed: 'bad', partialSuccess: 'warning' } as const

export function CommandStateMark({ state }: { state: CommandState }) {
  const reader = useReader(taskDevice)
  return <StateMark tone={ofCommand[state]}>{reader.option('state', state)}</StateMark>
}

export function ProgressMark({ progress }: { progress: (typeof progressStates)[number] }) {
  const reader = useReader(deviceTask)
  return <StateMark tone={ofTask[progress]}>{reader.option('progress', progress)}</StateMark>
}
