import { brokerSuccess, brokerSuccessDetail } from '@campanile/contract/command'
import type { Row } from '@campanile/contract/kit'
import { useParams } from 'react-router'
import { useToDevice } from '../../../kit/DeviceLink.tsx'
import { calls, ListScreen, useReader, useResourceList } from '../../../kit/index.ts'
import { CommandResult } from '../task/CommandResult.tsx'
import { useTaskNews } from '../task/useTaskNews.ts'
import { BrokerPage } from './BrokerPage.tsx'

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
  const toDevice = useToDevice()
  const { title } = useReader(brokerSuccess)
  return (
    <BrokerPage id={id} title={title} onChanged={list.reload}>
      {(head) => <ListScreen resource={brokerSuccess} list={list} above={head} cells={cells} {...toDevice} />}
    </BrokerPage>
  )
}
