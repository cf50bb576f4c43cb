import { brokerSuccess, brokerSuccessDetail } from '@campanile/contract/command'
import type { Row } from '@campanile/contract/kit'
import { useParams } from 'react-router'
import { useToDevice } from '../../../kit/DeviceLink.tsx'
import { calls, ListScreen, useResourceList } from '../../../kit/index.ts'
import { CommandResult } from '../task/CommandResult.tsx'
import { useTaskNews } from '../task/useTaskNews.ts'
import { BrokerHead } from './BrokerHead.tsx'

type DeviceRow = Row<typeof brokerSuccess>
const cells = {
  result: ({ id, result }: DeviceRow) => (
    <CommandResult
      text={result}
      wholeKey={[brokerSuccess.name, 'detail', id]}
      whole={async (signal) => (await calls.call(brokerSuccessDetail, { id }, { signal })).row.result}
    />
  ),
}

export default function BrokerSuccessScreen() {
  const id = Number(useParams().id)
  const list = useResourceList(brokerSuccess, { fixed: { taskId: id } })
  useTaskNews(list.reload, id)
  return (
    <ListScreen resource={brokerSuccess} list={list} above={<BrokerHead id={id} />} cells={cells} {...useToDevice()} />
  )
}
