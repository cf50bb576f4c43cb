import {
  type CommandState,
  deviceTask,
  isCancelled,
  type progressStates,
  taskDevice,
} from '@campanile/contract/command'
import { StateMark, useReader } from '../../../kit/index.ts'
import { timeText } from '../../../kit/time.ts'

const ofCommand = {
  queued: 'off',
  sent: 'accent',
  acknowledged: 'accent',
  done: 'good',
  failed: 'bad',
  expired: 'warning',
  cancelled: 'off',
  refused: 'bad',
} as const
const ofTask = {
  planned: 'warning',
  inProgress: 'accent',
  success: 'good',
  failed: 'bad',
  partialSuccess: 'warning',
} as const

export function CommandStateMark({ state }: { state: CommandState }) {
  const reader = useReader(taskDevice)
  return <StateMark tone={ofCommand[state]}>{reader.option('state', state)}</StateMark>
}

export interface Standing {
  readonly progress: (typeof progressStates)[number]
  readonly failed: number
  readonly cancelled: number
}

export function ProgressMark({ task }: { task: Standing }) {
  const reader = useReader(deviceTask)
  const { progress } = task
  if (isCancelled(task)) return <StateMark tone="off">{reader.t('deviceTask.cancelledAll')}</StateMark>
  return <StateMark tone={ofTask[progress]}>{reader.option('progress', progress)}</StateMark>
}

export interface Timed {
  readonly progress: string
  readonly sendTime: string | null
  readonly maintenanceWindow: string | null
}

/** When a planned task begins, and in which window a task was given to be done. */
export function TaskTime({ task: { progress, sendTime, maintenanceWindow } }: { task: Timed }) {
  const { t } = useReader(deviceTask)
  const parts = [
    ...(progress === 'planned' && sendTime !== null
      ? [t('deviceTask.planned', { time: timeText(new Date(sendTime)) })]
      : []),
    ...(maintenanceWindow === null ? [] : [t('deviceTask.inWindow', { hours: maintenanceWindow })]),
  ]
  return parts.length === 0 ? null : <p role="status">{parts.join(' · ')}</p>
}
