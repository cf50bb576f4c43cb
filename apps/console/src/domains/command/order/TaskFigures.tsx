import { useTranslation } from 'react-i18next'
import { StateMark } from '../../../kit/index.ts'
import './order.css'

export interface Figures {
  readonly total: number
  readonly succeeded: number
  readonly failed: number
  readonly cancelled?: number
}

/** How a task stands, told anew as it moves on. */
export function TaskFigures({ total, succeeded, failed, cancelled = 0 }: Figures) {
  const { t, i18n } = useTranslation()
  const number = new Intl.NumberFormat(i18n.language)
  const waiting = total - succeeded - failed - cancelled
  const share = (part: number) => (total === 0 ? 0 : (part / total) * 100)
  return (
    <div className="task-figures">
      <div
        className="task-bar"
        role="progressbar"
        aria-label={t('command.figures.progress')}
        aria-valuenow={Math.round(share(total - waiting))}
        aria-valuemin={0}
        aria-valuemax={100}
      >
        <span data-tone="good" style={{ width: `${share(succeeded)}%` }} />
        <span data-tone={failed > 0 ? 'bad' : 'off'} style={{ width: `${share(failed + cancelled)}%` }} />
      </div>
      <p role="status">
        <StateMark tone="good">{t('command.figures.succeeded', { shown: number.format(succeeded) })}</StateMark>
        <StateMark tone={failed > 0 ? 'bad' : 'off'}>
          {t('command.figures.failed', { shown: number.format(failed) })}
        </StateMark>
        {cancelled > 0 && (
          <StateMark tone="off">{t('command.figures.cancelled', { shown: number.format(cancelled) })}</StateMark>
        )}
        <StateMark tone={waiting > 0 ? 'accent' : 'off'}>
          {t('command.figures.waiting', { shown: number.format(waiting) })}
        </StateMark>
      </p>
    </div>
  )
}
