import { loginSingle } from '@campanile/contract/identity'
import { operationLog, operationTypes } from '@campanile/contract/system'
import { useQuery } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { calls, StateMark, useReader } from '../../kit/index.ts'
import { listKey } from '../../kit/list/useResourceList.ts'
import { operationLabel } from '../../kit/operationLabel.ts'
import { relativeText, timeText } from '../../kit/time.ts'
import { useTextsOf } from '../../shell/declared.ts'
import { describeError } from '../../shell/errorText.ts'
import { descriptionText, kindsNamed } from '../system/marks.tsx'

const howMany = 8
/** Looking at things is not news. */
const news = operationTypes.filter((type) => type !== 'read')
/** Where a sign-in happens needs no words. */
const saysItAll = new Set(['signIn', 'signOut'])
const isSwitch = ({ route }: { route: string }) => route.endsWith(loginSingle.path)
const refreshMs = 60_000

/** The last things done, from the log itself. */
export function RecentOperations() {
  const { t, i18n } = useTranslation()
  const reader = useReader(operationLog)
  const query = { type: news, sort: '-createTime', page: 1, pageSize: howMany }
  const { data, error } = useQuery({
    queryKey: [...listKey(operationLog), 'recent'],
    queryFn: ({ signal }) => calls.list(operationLog, query, { signal }),
    refetchInterval: refreshMs,
  })
  useTextsOf(data?.rows.flatMap(kindsNamed) ?? [])
  const titleOf = (module: string) =>
    [`operationLog.module.${module}`, `${module}.title`].find((key) => i18n.exists(key)) ?? module
  const all = `/system/log?${new URLSearchParams(news.map((type) => ['type', type]))}`
  return (
    <section className="card">
      <header className="card-head">
        <h2>{t('home.operations.title')}</h2>
        <Link to={all}>{t('home.operations.all')}</Link>
      </header>
      {error && <p className="card-empty">{describeError(error).text}</p>}
      {!data && !error && <Skeleton active title={false} paragraph={{ rows: howMany }} />}
      {data?.rows.length === 0 && <p className="card-empty">{t('home.operations.empty')}</p>}
      <ul className="operations">
        {data?.rows.map((row) => {
          const time = new Date(row.createTime)
          const description = descriptionText(row, reader)
          return (
            <li key={row.id}>
              <span className="operation-what" title={description}>
                <strong>{isSwitch(row) ? t('home.operations.switched') : operationLabel(row, i18n)}</strong>
                {saysItAll.has(row.type) || isSwitch(row) ? '' : ` ${t(titleOf(row.module))}`}
                {description ? ` · ${description}` : ''}
              </span>
              {row.result === 'failed' && <StateMark tone="bad">{t('home.operations.failed')}</StateMark>}
              <span className="quiet">{row.username ?? '–'}</span>
              <time className="quiet" dateTime={row.createTime} title={timeText(time)}>
                {relativeText(time, new Date(), reader.language) ?? timeText(time)}
              </time>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
