import { release, releaseDevice } from '@campanile/contract/release'
import { useReader } from '../../../kit/index.ts'
import { clockText, type Detail, figuresOf } from './story.ts'

interface Props {
  detail: Detail
  /** Shows the devices behind a figure. */
  onShow: (state: string) => void
}

/** How it stands with those that were told: one bar, and figures that add up. */
export function StatesCard({ detail, onShow }: Props) {
  const reader = useReader(release)
  const { option } = useReader(releaseDevice)
  const { t } = reader
  const { row, percent, nextTry, reasons } = detail
  const { told, waiting, total } = row
  const figures = figuresOf(row)
  const share = (count: number) => (total === waiting ? 0 : (count / (total - waiting)) * 100)
  const hints: Record<string, string> = {
    published: t('releaseDetail.hint.published'),
    downloading: percent === null ? '' : t('releaseDetail.hint.downloading', { percent: Math.round(percent) }),
    upgrading: t('releaseDetail.hint.upgrading'),
    failed: reasons.length === 0 ? '' : t('releaseDetail.hint.failed', { count: reasons.length }),
    pendingRetry:
      nextTry === null
        ? t('releaseDetail.hint.pendingRetryAny')
        : t('releaseDetail.hint.pendingRetry', { time: clockText(nextTry, new Date()) }),
  }
  return (
    <section className="card" aria-label={t('releaseDetail.states')}>
      <div className="card-head">
        <h2>{t('releaseDetail.states')}</h2>
        <span className="quiet">
          {t('releaseDetail.told', { told: reader.number(told), total: reader.number(total) })}
        </span>
      </div>
      <div className="state-bar" aria-hidden="true">
        {figures.map(
          ([state, count]) =>
            count > 0 && <span key={state} data-state={state} style={{ width: `${share(count)}%` }} />,
        )}
      </div>
      <ul className="state-rows">
        {figures.map(([state, count]) => (
          <li key={state}>
            <span className="state-dot" data-state={state} aria-hidden="true" />
            <strong>{option('state', state)}</strong>
            <span className="quiet">{count > 0 ? hints[state] : ''}</span>
            {count > 0 ? (
              <button type="button" className="link-button figure" onClick={() => onShow(state)}>
                {reader.number(count)}
              </button>
            ) : (
              <span className="figure">0</span>
            )}
            <span className="quiet figure">{reader.decimal(share(count), 1)} %</span>
          </li>
        ))}
      </ul>
      {waiting > 0 && (
        <p className="quiet">{t('releaseDetail.waiting', { count: waiting, shown: reader.number(waiting) })}</p>
      )}
      {row.refused > 0 && (
        <p className="quiet">{t('releaseDetail.leftOut', { count: row.refused, shown: reader.number(row.refused) })}</p>
      )}
    </section>
  )
}
