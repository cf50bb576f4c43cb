import {
  type CommandState,
  deviceTask,
  isCancelled,
  type progressStates,
  taskDevice,
} from '@campanile/contract/command'
import { StateMark, useReader } from '../../../kit/index.ts'
import { dayText, relativeText, timeText } from '../../../kit/time.ts'

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

/** In a list, beside how soon a planned task begins. */
export function ProgressCell({ task }: { task: Planned }) {
  const { language } = useReader(deviceTask)
  const time = task.progress === 'planned' && task.sendTime !== null ? new Date(task.sendTime) : undefined
  return (
    <>
      <ProgressMark task={task} />
      {time && (
        <span className="quiet" title={[timeText(time), task.maintenanceWindow].filter(Boolean).join(' · ')}>
          {' '}
          {relativeText(time, new Date(), language) ?? dayText(time)}
        </span>
      )}
    </>
  )
}

export function ProgressMark({ task }: { task: Standing }) {
  const reader = useReader(deviceTask)
  const { progress } = task
  if (isCancelled(task)) return <StateMark tone="off">{reader.t('deviceTask.cancelledAll')}</StateMark>
  return <StateMark tone={ofTask[progress]}>{reader.option('progress', progress)}</StateMark>
}
