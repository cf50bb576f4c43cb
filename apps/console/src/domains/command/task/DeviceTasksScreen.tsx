import { createTask, deviceTask, taskDetail } from '@campanile/contract/command'
import type { Row } from '@campanile/contract/kit'
import { ListScreen, usePermitted, useResourceList } from '../../../kit/index.ts'
import { tellDevices } from '../tellDevices.tsx'
import { ProgressCell } from './ProgressCell.tsx'
import { useCancel } from './useCancel.ts'
import { useGiveUp } from './useGiveUp.ts'
import { useRetry } from './useRetry.tsx'
import { useTaskNews } from './useTaskNews.ts'

type TaskRow = Row<typeof deviceTask>

const watchMs = 5_000
const cells = { progress: (row: TaskRow) => <ProgressCell task={row} /> }
const detailOf = ({ id }: Pick<TaskRow, 'id'>) => `/deviceTask/detail/${id}`

/** Everything that was asked of devices, and how it went. */
export default function DeviceTasksScreen() {
  const list = useResourceList(deviceTask, {
    refreshEvery: (rows) => (rows.some(({ progress }) => progress === 'inProgress') ? watchMs : false),
  })
  useTaskNews(list.reload)
  const mayLook = usePermitted(taskDetail.perm)
  const mayAdd = usePermitted(createTask.perm)
  const cancel = useCancel(deviceTask)
  const giveUp = useGiveUp(deviceTask)
  const retry = useRetry(deviceTask)
  return (
    <>
      <ListScreen
        resource={deviceTask}
        list={list}
        cells={cells}
        identityTo={mayLook && detailOf}
        primary={mayAdd ? { label: 'deviceTask.action.create', run: () => tellDevices({ door: 'task' }) } : undefined}
        rowButtons={[
          {
            label: 'deviceTask.action.cancel',
            danger: true,
            shown: ({ unsent }) => cancel.permitted && unsent,
            run: (row) => cancel.ask(row.taskId, row),
          },
          {
            label: 'deviceTask.action.giveUp',
            danger: true,
            shown: ({ begun }) => giveUp.permitted && begun,
            run: ({ id, taskId }) => giveUp.ask(taskId, { id }),
          },
          {
            label: 'deviceTask.action.retry',
            shown: ({ failed }) => retry.permitted && failed > 0,
            run: ({ id, command }) => retry.ask({ id, command }),
          },
        ]}
      />
      {retry.dialog}
    </>
  )
}
