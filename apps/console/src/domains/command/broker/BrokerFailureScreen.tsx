import { brokerFailure, brokerTask, commandMachine, type Row } from '@campanile/contract'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { ListScreen, useResourceList } from '../../../kit/index.ts'
import { useAction } from '../../../kit/useAction.ts'
import { Reason } from '../task/Reason.tsx'
import { CommandStateMark } from '../task/states.tsx'
import { useTaskNews } from '../task/useTaskNews.ts'
import { BrokerHead } from './BrokerHead.tsx'

type DeviceRow = Row<typeof brokerFailure>
const cells = {
  state: ({ state }: DeviceRow) => <CommandStateMark state={state} />,
  reason: ({ reason }: DeviceRow) => <Reason reason={reason} />,
}
const isRetriable = ({ state }: DeviceRow) => commandMachine.can(state, 'retry')

/** Whom a message did not reach, and why; one of them or all may be tried again. */
export default function BrokerFailureScreen() {
  const { t } = useTranslation()
  const id = Number(useParams().id)
  const list = useResourceList(brokerFailure, { fixed: { taskId: id } })
  useTaskNews(list.reload, id)
  const retry = useAction(brokerTask, 'retry', { onDone: list.reload })
  return (
    <ListScreen
      resource={brokerFailure}
      list={list}
      above={
        <BrokerHead id={id}>
          {retry.permitted && list.rows.some(isRetriable) && (
            <Button loading={retry.running} onClick={() => retry.run({ id })}>
              {t('brokerTask.action.retry')}
            </Button>
          )}
        </BrokerHead>
      }
      cells={cells}
      identityTo={({ sn }) => `/device/list/detail/${encodeURIComponent(sn)}`}
      rowButtons={[
        {
          label: 'brokerTask.action.retryOne',
          shown: (row) => retry.permitted && isRetriable(row),
          run: ({ sn }) => retry.run({ id, sns: [sn] }),
        },
      ]}
    />
  )
}
