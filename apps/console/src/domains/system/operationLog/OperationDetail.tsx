import type { Row } from '@campanile/contract/kit'
import { operationDetail, operationLog } from '@campanile/contract/system'
import { useQuery } from '@tanstack/react-query'
import { Drawer, Skeleton } from 'antd'
import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../../kit/CopyButton.tsx'
import { Failed } from '../../../kit/Failed.tsx'
import { calls, Time, useReader } from '../../../kit/index.ts'
import { operationLabel } from '../../../kit/operationLabel.ts'
import { useTextsOf } from '../../../shell/declared.ts'
import { Changes } from './Changes.tsx'
import { kindsNamed } from './descriptionText.ts'
import { Subject } from './LineWords.tsx'
import { moduleLabel } from './moduleLabel.ts'
import { OperationResult } from './OperationResult.tsx'

interface Props {
  row: Row<typeof operationLog>
  onClose: () => void
}

/** Somebody of another organisation, who had entered this one, is said to be from outside. */
const whoOf = (row: Row<typeof operationLog>, t: TFunction) => {
  const name = row.username ?? t('operationLog.detail.nobody')
  return row.outside ? t('operationLog.detail.fromOutside', { name }) : name
}

/** One line of the log: who, from where, what, and what it changed. */
export function OperationDetail({ row, onClose }: Props) {
  const reader = useReader(operationLog)
  const { t, i18n } = useTranslation()
  useTextsOf(kindsNamed(row))
  const { data, error, refetch } = useQuery({
    queryKey: ['operationDetail', row.id],
    queryFn: ({ signal }) => calls.call(operationDetail, { id: row.id }, { signal }),
    // A line never changes.
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Drawer open size={720} title={t('operationLog.detail.title', { id: reader.number(row.id) })} onClose={onClose}>
      <div className="operation-detail">
        <FactList
          title={t('operationLog.detail.who')}
          facts={[
            [reader.field('username'), whoOf(row, t)],
            [reader.field('departmentId'), row.departmentName],
            [reader.field('createTime'), <Time key="time" value={row.createTime} reader={reader} />],
          ]}
        />
        <FactList
          title={t('operationLog.detail.where')}
          facts={[
            [reader.field('clientIp'), <Mono key="ip" text={row.clientIp} />],
            [reader.field('host'), <Mono key="host" text={row.host} />],
            [t('operationLog.detail.userAgent'), data?.userAgent],
          ]}
        />
        <FactList
          title={t('operationLog.detail.what')}
          facts={[
            [reader.field('module'), moduleLabel(row.module, i18n)],
            [reader.field('type'), operationLabel(row, i18n)],
            [reader.field('description'), <Subject key="what" row={row} />],
            [reader.field('route'), <Mono key="route" text={row.route} />],
            [
              reader.field('result'),
              <span key="result">
                <OperationResult row={row} reader={reader} />{' '}
                {row.result === 'failed' && <FailedBecause code={row.code} />}
              </span>,
            ],
          ]}
        />
        <section>
          <h2>{t('operationLog.detail.changes')}</h2>
          {error ? (
            <Failed error={error} onRetry={refetch} />
          ) : data ? (
            <Changes line={row} before={data.before} after={data.after} />
          ) : (
            <Skeleton active title={false} paragraph={{ rows: 4 }} />
          )}
        </section>
        {data && (
          <section>
            <h2>{t('operationLog.detail.chain')}</h2>
            <p className="operation-hash">
              <span className="mono">{data.hash}</span>
              <CopyButton text={data.hash} label={t('operationLog.detail.copyHash')} />
            </p>
            <p className="field-help">{t('operationLog.detail.chainHelp')}</p>
          </section>
        )}
      </div>
    </Drawer>
  )
}

/** The catalogue's own words for the code, so that nobody has to look it up. */
function FailedBecause({ code }: { code: string | number }) {
  const { t, i18n } = useTranslation()
  return <span className="quiet">{i18n.exists(`error.${code}`) ? `${t(`error.${code}`)} (${code})` : `(${code})`}</span>
}

const Mono = ({ text }: { text: string | null }) => <span className="mono">{text ?? '–'}</span>

function FactList({ title, facts }: { title: string; facts: [label: string, value: ReactNode][] }) {
  return (
    <section>
      <h2>{title}</h2>
      <dl className="facts">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value ?? '–'}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
