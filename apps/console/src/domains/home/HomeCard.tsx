import { Button, Skeleton } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { timeText } from '../../kit/time.ts'
import { describeError } from '../../shell/errorText.ts'

interface Props<D> {
  title: string
  aside?: ReactNode
  /** What stands right behind the title. */
  beside?: ReactNode
  className?: string
  /** Rows of the skeleton: about as tall as what comes. */
  rows?: number
  query: { data: D | undefined; error: unknown; dataUpdatedAt: number; refetch: () => unknown }
  isEmpty: (data: D) => boolean
  empty: string
  children: (data: D) => ReactNode
}

/** A card that fills itself, and says for itself when it cannot: loading, nothing there, out of date, broken. */
export function HomeCard<D>({
  title,
  aside,
  beside,
  className = '',
  rows = 5,
  query,
  isEmpty,
  empty,
  children,
}: Props<D>) {
  const { t } = useTranslation()
  const { data, error, dataUpdatedAt, refetch } = query
  const retry = (
    <Button size="small" onClick={() => refetch()}>
      {t('kit.list.retry')}
    </Button>
  )
  return (
    <section className={`card home-card ${className}`} aria-label={title}>
      <header className="card-head">
        {beside ? (
          <span className="home-card-title">
            <h2>{title}</h2>
            {beside}
          </span>
        ) : (
          <h2>{title}</h2>
        )}
        {aside}
      </header>
      {data === undefined && !error && <Skeleton active title={false} paragraph={{ rows }} />}
      {data === undefined && Boolean(error) && (
        <div className="home-card-error" role="alert">
          <strong>{describeError(error).title}</strong>
          <p>{describeError(error).text}</p>
          {retry}
        </div>
      )}
      {data !== undefined && Boolean(error) && (
        <p className="stale-notice" role="status">
          {t('home.stale', { time: timeText(new Date(dataUpdatedAt)).slice(-5) })} {retry}
        </p>
      )}
      {data !== undefined && (isEmpty(data) ? <p className="card-empty">{empty}</p> : children(data))}
    </section>
  )
}
