import { deviceTask } from '@campanile/contract/command'
import { useReader } from '../../../kit/index.ts'
import { timeText } from '../../../kit/time.ts'

interface Timed {
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
