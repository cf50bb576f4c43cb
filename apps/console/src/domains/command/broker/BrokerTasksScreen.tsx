import { brokerTask, createBrokerTask } from '@campanile/contract/command'
import type { Row } from '@campanile/contract/kit'
import { useNavigate } from 'react-router'
import { ListScreen, usePermitted, useResourceList } from '../../../kit/index.ts'
import { ProgressCell } from '../task/ProgressCell.tsx'
import { useCancel } from '../task/useCancel.ts'
import { useGiveUp } from '../task/useGiveUp.ts'
import { useTaskNews } from '../task/useTaskNews.ts'
import { tellDevices } from '../tellDevices.tsx'

type TaskRow = Row<typeof brokerTask>

const watchMs = 5_000
const cells = { progress: (row: TaskRow) => <ProgressCell task={row} /> }
const successOf = ({ id }: TaskRow) => `/device/broker/task/success/${id}`

/** Messages of one's own making and how they were taken. */
export default function BrokerTasksScreen() {
  const navigate = useNavigate()
  const list = useResourceList(brokerTask, {
    refreshEvery: (rows) => (rows.some(({ progress }) => progress === 'inProgress') ? watchMs : false),
  })
  useTaskNews(list.reload)
  const mayAdd = usePermitted(createBrokerTask.perm)
  const cancel = useCancel(brokerTask)
  const giveUp = useGiveUp(brokerTask)
  return (
    <ListScreen
      resource={brokerTask}
      list={list}
      cells={cells}
      identityTo={successOf}
      primary={
        mayAdd ? { label: 'brokerTask.action.create', run: () => tellDevices({ command: 'custom' }) } : undefined
      }
      rowButtons={[
        { label: 'brokerTask.action.success', run: (row) => navigate(successOf(row)) },
        { label: 'brokerTask.action.fail', run: ({ id }) => navigate(`/device/broker/task/fail/${id}`) },
        {
          label: 'brokerTask.action.cancel',
          danger: true,
          shown: ({ unsent }) => cancel.permitted && unsent,
          run: (row) => cancel.ask(row.name, row),
        },
        {
          label: 'brokerTask.action.giveUp',
          danger: true,
          shown: ({ begun }) => giveUp.permitted && begun,
          run: ({ id, name }) => giveUp.ask(name, { id }),
        },
      ]}
    />
  )
}
