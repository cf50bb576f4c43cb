import { deviceTask, type Outlook, plannedAtOnce, taskDevice } from '@campanile/contract/command'
import type { UseQueryResult } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import { DeviceLink } from '../../../kit/DeviceLink.tsx'
import { Failed } from '../../../kit/Failed.tsx'
import { StateMark, useReader } from '../../../kit/index.ts'
import { Pager } from '../../../kit/list/Pager.tsx'
import { PlainTable } from '../../../kit/PlainTable.tsx'
import { Reason } from './Reason.tsx'

interface Props {
  query: UseQueryResult<Outlook>
  page: number
  onPage: (page: number) => void
}

/** Whom a planned task means as they stand now, those who would be refused first. */
export function PlannedDevices({ query: { data, error, refetch }, page, onPage }: Props) {
  const reader = useReader(deviceTask)
  const { t } = reader
  const ofDevice = useReader(taskDevice)
  if (error && !data) return <Failed error={error} onRetry={refetch} card />
  return (
    <section className="card planned-devices" aria-label={t('deviceTask.outlook.title')}>
      <div className="card-head">
        <h2>{t('deviceTask.outlook.title')}</h2>
        <span className="quiet">{t('deviceTask.outlook.help')}</span>
      </div>
      {!data && <Skeleton active title={false} paragraph={{ rows: 4 }} />}
      {data?.total === 0 && <p className="quiet">{t('deviceTask.outlook.nobody')}</p>}
      {data && data.total > 0 && (
        <PlainTable columns={[ofDevice.field('sn'), reader.field('departmentId'), t('deviceTask.outlook.today')]}>
          {data.rows.map(({ sn, departmentName, code }) => (
            <tr key={sn}>
              <td>
                <DeviceLink sn={sn} />
              </td>
              <td>{departmentName || <span className="nothing">–</span>}</td>
              <td>
                {code === null ? (
                  <StateMark tone="accent">{t('deviceTask.outlook.receives')}</StateMark>
                ) : (
                  <StateMark tone="bad">
                    {t('deviceTask.outlook.isRefused')} <Reason reason={String(code)} sn={sn} />
                  </StateMark>
                )}
              </td>
            </tr>
          ))}
        </PlainTable>
      )}
      {data && data.total > plannedAtOnce && (
        <Pager page={page} pageSize={plannedAtOnce} total={data.total} onPage={onPage} />
      )}
    </section>
  )
}
