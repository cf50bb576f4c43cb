import { deviceTask } from '@campanile/contract/command'
import { useReader } from '../../../kit/index.ts'
import { dayText, relativeText, timeText } from '../../../kit/time.ts'
import { ProgressMark, type Standing, type Timed, windowOf } from './states.tsx'

/** In a list, beside how soon a planned task begins. */
export function ProgressCell({ task }: { task: Standing & Timed }) {
  const reader = useReader(deviceTask)
  const { language } = reader
  const time = task.progress === 'planned' && task.sendTime !== null ? new Date(task.sendTime) : undefined
  return (
    <>
      <ProgressMark task={task} />
      {time && (
        <span className="quiet" title={[timeText(time), windowOf(reader, task)].filter(Boolean).join(' · ')}>
          {' '}
          {relativeText(time, new Date(), language) ?? dayText(time)}
        </span>
      )}
    </>
  )
}
