import { brokerFailure, brokerTask, commandMachine } from '@campanile/contract/command'
import type { Row } from '@campanile/contract/kit'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { useToDevice } from '../../../kit/DeviceLink.tsx'
import { ListScreen, useReader, useResourceList } from '../../../kit/index.ts'
import { Attempts } from '../task/Attempts.tsx'
import { Reason } from '../task/Reason.tsx'
import { CommandStateMark } from '../task/states.tsx'
import { useRetry } from '../task/useRetry.tsx'
import { useTaskNews } from '../task/useTaskNews.ts'
import { BrokerPage } from './BrokerPage.tsx'

type DeviceRow = Row<typeof brokerFailure>
const cells = {
  state: ({ id, sn, state, attempt }: DeviceRow) => (
    <>
      <CommandStateMark state={state} />
      <Attempts id={id} sn={sn} of="message" attempt={attempt} />
    </>
  ),
  reason: ({ reason, sn }: DeviceRow) => <Reason reason={reason} sn={sn} />,
}
const isRetriable = ({ state }: DeviceRow) => commandMachine.can(state, 'retry')

/** Whom a message did not reach, and why; one of them or all may be tried again. */
export default function BrokerFailureScreen() {
  const { t } = useTranslation()
  const id = Number(useParams().id)
  const list = useResourceList(brokerFailure, { fixed: { taskId: id } })
  useTaskNews(list.reload, id)
  const retry = useRetry(brokerTask, list.reload)
  const toDevice = useToDevice()
  const { title } = useReader(brokerFailure)
  return (
    <>
      {retry.dialog}
      <BrokerPage
        id={id}
        title={title}
        onChanged={list.reload}
        buttons={({ failed, topic }) =>
          retry.permitted &&
          failed > 0 && (
            <Button loading={retry.running} onClick={() => retry.ask({ id, command: topic })}>
              {t('brokerTask.action.retry')}
            </Button>
          )
        }
      >
        {(head) => (
          <ListScreen
            resource={brokerFailure}
            list={list}
            above={head}
            cells={cells}
            {...toDevice}
            rowButtons={[
              {
                label: 'brokerTask.action.retryOne',
                shown: (row) => retry.permitted && isRetriable(row),
                run: ({ sn, command }) => retry.ask({ id, command, sn }),
              },
            ]}
          />
        )}
      </BrokerPage>
    </>
  )
}
