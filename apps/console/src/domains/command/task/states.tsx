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

interface Standing {
  readonly progress: (typeof progressStates)[number]
  readonly failed: number
  readonly cancelled: number
}

interface Planned extends Standing {
  readonly sendTime: string | null
  readonly maintenanceWindow: string | null
}

/** In a list, beside when a planned task begins. */
export const progressCell = (task: Planned) => (
  <>
    <ProgressMark task={task} />
    {task.progress === 'planned' && task.sendTime !== null && (
      <span className="quiet figure" title={task.maintenanceWindow ?? undefined}>
        {' '}
        {timeText(new Date(task.sendTime))}
      </span>
    )}
  </>
)

export function ProgressMark({ task }: { task: Standing }) {
  const reader = useReader(deviceTask)
  const { progress } = task
  if (isCancelled(task)) return <StateMark tone="off">{reader.t('deviceTask.cancelledAll')}</StateMark>
  return <StateMark tone={ofTask[progress]}>{reader.option('progress', progress)}</StateMark>
}
