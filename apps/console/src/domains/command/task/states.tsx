import {
  type CommandState,
  deviceTask,
  isCancelled,
  type progressStates,
  taskDevice,
} from '@campanile/contract/command'
import { StateMark, useReader } from '../../../kit/index.ts'
import type { Reader } from '../../../kit/reader.ts'
import { timeText } from '../../../kit/time.ts'
import { windowText } from '../../../kit/windowText.ts'

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
  readonly maintenanceDays: readonly number[] | null
  readonly maintenanceOf: readonly string[] | null
}

/** The window a task was given for. One that was given before days and organisations were kept has its hours alone. */
export const windowOf = (
  reader: Pick<Reader, 't' | 'language'>,
  { maintenanceWindow: hours, maintenanceDays: days, maintenanceOf: of }: Omit<Timed, 'progress' | 'sendTime'>,
): string | null => (hours === null || of === null ? hours : windowText(reader, { hours, days, of }))

/** When a planned task begins, and in which window a task was given to be done. */
export function TaskTime({ task }: { task: Timed }) {
  const reader = useReader(deviceTask)
  const { t } = reader
  const { progress, sendTime } = task
  const hours = windowOf(reader, task)
  const parts = [
    ...(progress === 'planned' && sendTime !== null
      ? [t('deviceTask.planned', { time: timeText(new Date(sendTime)) })]
      : []),
    ...(hours === null ? [] : [t('deviceTask.inWindow', { hours })]),
  ]
  return parts.length === 0 ? null : <p role="status">{parts.join(' · ')}</p>
}
