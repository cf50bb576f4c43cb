import { brokerFailureDetail, deviceTask, taskDevice, taskDeviceDetail } from '@campanile/contract/command'
import { useQuery } from '@tanstack/react-query'
import { Modal, Skeleton } from 'antd'
import { Failed } from '../../../kit/Failed.tsx'
import { calls, useReader } from '../../../kit/index.ts'
import { listKey } from '../../../kit/list/useResourceList.ts'
import { PlainTable } from '../../../kit/PlainTable.tsx'
import { timeText } from '../../../kit/time.ts'
import type { Attempted } from './Attempts.tsx'
import { Reason } from './Reason.tsx'
import { CommandStateMark } from './states.tsx'

/** Every time a device was asked: when, by whom, and how it ended. */
export function AttemptsDialog({ id, sn, of = 'task', onClose }: Attempted & { onClose: () => void }) {
  const reader = useReader(taskDevice)
  const ofTask = useReader(deviceTask)
  const { t } = reader
  const { data, error, refetch } = useQuery({
    queryKey: [...listKey(taskDevice), 'attempts', of, id],
    queryFn: async ({ signal }) =>
      of === 'message'
        ? (await calls.call(brokerFailureDetail, { id }, { signal })).attempts
        : (await calls.call(taskDeviceDetail, { id }, { signal })).attempts,
  })
  const time = (text: string | null) => (text === null ? <span className="nothing">–</span> : timeText(new Date(text)))
  return (
    <Modal open width={760} title={t('taskDevice.attempts', { sn })} footer={null} onCancel={onClose}>
      {error && !data && <Failed error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton active />}
      {data && (
        <PlainTable
          columns={[
            reader.field('attempt'),
            reader.field('createTime'),
            ofTask.field('creatorName'),
            reader.field('state'),
            reader.field('reason'),
            reader.field('endTime'),
          ]}
        >
          {data.map((each) => (
            <tr key={each.attempt}>
              <td className="figure">{each.attempt}</td>
              <td className="figure">{time(each.time)}</td>
              <td>{each.byName ?? <span className="nothing">–</span>}</td>
              <td>
                <CommandStateMark state={each.state} />
              </td>
              <td>
                <Reason reason={each.reason} sn={sn} />
              </td>
              <td className="figure">{time(each.endTime)}</td>
            </tr>
          ))}
        </PlainTable>
      )}
    </Modal>
  )
}
