import { deviceTask, taskDevice, taskDeviceDetail } from '@campanile/contract/command'
import { useQuery } from '@tanstack/react-query'
import { Modal, Skeleton } from 'antd'
import { Failed } from '../../../kit/Failed.tsx'
import { calls, useReader } from '../../../kit/index.ts'
import { listKey } from '../../../kit/list/useResourceList.ts'
import { timeText } from '../../../kit/time.ts'
import { Reason } from './Reason.tsx'
import { CommandStateMark } from './states.tsx'

/** Every time a device was asked: when, by whom, and how it ended. */
export function AttemptsDialog({ id, sn, onClose }: { id: number; sn: string; onClose: () => void }) {
  const reader = useReader(taskDevice)
  const ofTask = useReader(deviceTask)
  const { t } = reader
  const { data, error, refetch } = useQuery({
    queryKey: [...listKey(taskDevice), 'attempts', id],
    queryFn: ({ signal }) => calls.call(taskDeviceDetail, { id }, { signal }),
  })
  const time = (text: string | null) => (text === null ? <span className="nothing">–</span> : timeText(new Date(text)))
  return (
    <Modal open width={760} title={t('taskDevice.attempts', { sn })} footer={null} onCancel={onClose}>
      {error && !data && <Failed error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton active />}
      {data && (
        <div className="planned-scroll">
          <table className="plain-table">
            <thead>
              <tr>
                <th scope="col">{reader.field('attempt')}</th>
                <th scope="col">{reader.field('createTime')}</th>
                <th scope="col">{ofTask.field('creatorName')}</th>
                <th scope="col">{reader.field('state')}</th>
                <th scope="col">{reader.field('reason')}</th>
                <th scope="col">{reader.field('endTime')}</th>
              </tr>
            </thead>
            <tbody>
              {data.attempts.map((each) => (
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
            </tbody>
          </table>
        </div>
      )}
    </Modal>
  )
}
