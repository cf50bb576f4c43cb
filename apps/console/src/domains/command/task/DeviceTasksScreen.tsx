import { createTask, deviceTask, type Row, taskDetail } from '@campanile/contract'
import { lazy, Suspense, useState } from 'react'
import { ListScreen, usePermitted, useResourceList } from '../../../kit/index.ts'
import { useAction } from '../../../kit/useAction.ts'
import { ProgressMark } from './states.tsx'
import { useTaskNews } from './useTaskNews.ts'

type TaskRow = Row<typeof deviceTask>

const NewTaskDrawer = lazy(() => import('./NewTaskDrawer.tsx'))
const watchMs = 5_000
const cells = { progress: ({ progress }: TaskRow) => <ProgressMark progress={progress} /> }
const detailOf = ({ id }: Pick<TaskRow, 'id'>) => `/deviceTask/detail/${id}`

/** Everything that was asked of devices, and how it went. */
export default function DeviceTasksScreen() {
  const list = useResourceList(deviceTask, {
    refreshEvery: (rows) => (rows.some(({ progress }) => progress === 'inProgress') ? watchMs : false),
  })
  useTaskNews(list.reload)
  const mayLook = usePermitted(taskDetail.perm)
  const mayAdd = usePermitted(createTask.perm)
  const cancel = useAction(deviceTask, 'cancel')
  const retry = useAction(deviceTask, 'retry')
  const [adding, setAdding] = useState(false)
  return (
    <>
      <ListScreen
        resource={deviceTask}
        list={list}
        cells={cells}
        {...(mayLook ? { identityTo: detailOf } : {})}
        primary={mayAdd ? { label: 'deviceTask.action.create', run: () => setAdding(true) } : undefined}
        rowButtons={[
          {
            label: 'deviceTask.action.cancel',
            confirm: true,
            danger: true,
            shown: ({ waiting }) => cancel.permitted && waiting > 0,
            run: ({ id }) => cancel.run({ id }),
          },
          {
            label: 'deviceTask.action.retry',
            shown: ({ failed }) => retry.permitted && failed > 0,
            run: ({ id }) => retry.run({ id }),
          },
        ]}
      />
      {adding && (
        <Suspense>
          <NewTaskDrawer onClose={() => setAdding(false)} />
        </Suspense>
      )}
    </>
  )
}
