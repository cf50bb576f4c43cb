import {
  type CommandState,
  commandMachine,
  deviceTask,
  taskDetail,
  taskDevice,
  taskDeviceDetail,
} from '@campanile/contract/command'
import type { Row } from '@campanile/contract/kit'
import { downloadFile } from '@campanile/contract/system'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { useToDevice } from '../../../kit/DeviceLink.tsx'
import { calls, ListScreen, usePermitted, useResourceList } from '../../../kit/index.ts'
import { listKey } from '../../../kit/list/useResourceList.ts'
import { useTabTitle } from '../../../shell/Page.tsx'
import { download, FileLink } from '../../file/pickers.tsx'
import type { Figure } from '../order/TaskFigures.tsx'
import { CommandResult } from './CommandResult.tsx'
import { Duration } from './Duration.tsx'
import { Reason } from './Reason.tsx'
import { CommandStateMark } from './states.tsx'
import { TaskHead } from './TaskHead.tsx'
import { useGiveUp } from './useGiveUp.ts'
import { useRetry } from './useRetry.tsx'
import { useTaskNews } from './useTaskNews.ts'

type DeviceRow = Row<typeof taskDevice>

const watchMs = 3_000
const cells = {
  state: ({ state }: DeviceRow) => <CommandStateMark state={state} />,
  reason: ({ reason, sn }: DeviceRow) => <Reason reason={reason} sn={sn} />,
  milliseconds: ({ milliseconds }: DeviceRow) => <Duration milliseconds={milliseconds} />,
  result: ({ id, result }: DeviceRow) => (
    <CommandResult
      text={result}
      wholeKey={[taskDevice.name, 'detail', id]}
      whole={async (signal) => (await calls.call(taskDeviceDetail, { id }, { signal })).row.result}
    />
  ),
  fileName: ({ fileId, fileName }: DeviceRow) => <FileLink id={fileId} name={fileName} />,
}
/** The states behind each figure of the head. */
const behind: Readonly<Record<Figure, readonly CommandState[]>> = {
  succeeded: ['done'],
  failed: ['failed', 'expired'],
  cancelled: ['cancelled'],
  refused: ['refused'],
  waiting: ['queued', 'sent', 'acknowledged'],
}
const figureOf = (states: unknown): Figure | undefined =>
  (Object.keys(behind) as Figure[]).find((figure) => String(behind[figure]) === String(states))

/** One task and how far each of its devices is, as it happens. */
export default function TaskDetailScreen() {
  const id = Number(useParams().id)
  const queries = useQueryClient()
  const detail = useQuery({
    // Under the list's own key, so that whatever changes a row reads this again.
    queryKey: [...listKey(deviceTask), 'detail', id],
    queryFn: ({ signal }) => calls.call(taskDetail, { id }, { signal }),
    refetchInterval: ({ state }) => (state.data?.row.progress === 'inProgress' ? watchMs : false),
  })
  useTabTitle(detail.data?.row.taskId)
  const open = detail.data?.row.progress === 'inProgress'
  const list = useResourceList(taskDevice, {
    fixed: { taskId: id, deviceId: undefined },
    refreshEvery: open ? watchMs : false,
  })
  const reload = () => Promise.all([list.reload(), queries.invalidateQueries({ queryKey: listKey(deviceTask) })])
  useTaskNews(reload, id)
  const mayDownload = usePermitted(downloadFile.perm)
  const retry = useRetry(deviceTask, taskDevice, reload)
  const giveUp = useGiveUp(deviceTask, reload)
  return (
    <>
      {retry.dialog}
      <ListScreen
        resource={taskDevice}
        list={list}
        above={
          <TaskHead
            detail={detail}
            onChanged={reload}
            shown={figureOf(list.state.filters.state)}
            onShow={(figure) => list.setFilter({ state: figure && [...behind[figure]] })}
          />
        }
        cells={cells}
        {...useToDevice()}
        rowButtons={[
          {
            label: 'exportFile.action.download',
            shown: ({ fileId }) => mayDownload && fileId !== null,
            run: ({ fileId, fileName }) => download({ id: fileId ?? 0, name: fileName ?? '' }),
          },
          {
            label: 'taskDevice.action.giveUp',
            danger: true,
            shown: ({ state }) => giveUp.permitted && commandMachine.can(state, 'giveUp'),
            run: ({ sn }) => giveUp.ask(sn, { id, sns: [sn] }),
          },
          {
            label: 'taskDevice.action.retry',
            shown: ({ state }) => retry.permitted && commandMachine.can(state, 'retry'),
            run: ({ sn, command }) => retry.ask({ id, command, sn, count: 1 }),
          },
        ]}
      />
    </>
  )
}
