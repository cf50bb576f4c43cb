import {
  type CommandState,
  commandMachine,
  deviceTask,
  plannedDevices,
  taskDetail,
  taskDevice,
  taskDeviceDetail,
} from '@campanile/contract/command'
import type { Row } from '@campanile/contract/kit'
import { downloadFile } from '@campanile/contract/system'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams } from 'react-router'
import { useToDevice } from '../../../kit/DeviceLink.tsx'
import { calls, ListScreen, usePermitted, useReader, useResourceList } from '../../../kit/index.ts'
import { listKey } from '../../../kit/list/useResourceList.ts'
import { Page, useTabTitle } from '../../../shell/Page.tsx'
import { download, FileLink } from '../../file/pickers.tsx'
import type { Figure } from '../order/TaskFigures.tsx'
import { Attempts } from './Attempts.tsx'
import { CommandResult } from './CommandResult.tsx'
import { Duration } from './Duration.tsx'
import { PlannedDevices } from './opened.ts'
import { Reason } from './Reason.tsx'
import { CommandStateMark } from './states.tsx'
import { TaskHead } from './TaskHead.tsx'
import { useGiveUp } from './useGiveUp.ts'
import { useRetry } from './useRetry.tsx'
import { useTaskNews } from './useTaskNews.ts'
import { plannedMs, watched, watchMs } from './watched.ts'

type DeviceRow = Row<typeof taskDevice>

const cells = {
  state: ({ id, sn, state, attempt }: DeviceRow) => (
    <>
      <CommandStateMark state={state} />
      <Attempts id={id} sn={sn} attempt={attempt} />
    </>
  ),
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
    refetchInterval: ({ state }) => watched(state.data?.row.progress),
  })
  useTabTitle(detail.data?.row.taskId)
  const progress = detail.data?.row.progress
  const [page, setPage] = useState(1)
  const outlook = useQuery({
    queryKey: [...listKey(deviceTask), 'planned', id, page],
    queryFn: ({ signal }) => calls.call(plannedDevices, { id, page }, { signal }),
    enabled: progress === 'planned',
    placeholderData: keepPreviousData,
    refetchInterval: plannedMs,
  })
  const list = useResourceList(taskDevice, {
    fixed: { taskId: id, deviceId: undefined },
    refreshEvery: progress === 'inProgress' ? watchMs : false,
  })
  const reload = () => Promise.all([list.reload(), queries.invalidateQueries({ queryKey: listKey(deviceTask) })])
  useTaskNews(reload, id)
  const mayDownload = usePermitted(downloadFile.perm)
  const retry = useRetry(deviceTask, reload)
  const giveUp = useGiveUp(deviceTask, reload)
  const toDevice = useToDevice()
  const { title } = useReader(taskDevice)
  const head = (
    <TaskHead
      detail={detail}
      outlook={outlook.data}
      onChanged={reload}
      shown={figureOf(list.state.filters.state)}
      onShow={(figure) => list.setFilter({ state: figure && [...behind[figure]] })}
    />
  )
  if (progress === 'planned')
    return (
      <Page title={title}>
        {head}
        <PlannedDevices query={outlook} page={page} onPage={setPage} />
      </Page>
    )
  return (
    <>
      {retry.dialog}
      <ListScreen
        resource={taskDevice}
        list={list}
        above={head}
        cells={cells}
        {...toDevice}
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
            run: ({ sn, command }) => retry.ask({ id, command, sn }),
          },
        ]}
      />
    </>
  )
}
