import { device } from '@campanile/contract/device'
import { SoftTag, useReader } from '../../../kit/index.ts'
import { limitState, type Used } from './limitState.ts'

const tones = { alarm: 'warning', over: 'bad' } as const

/** How much of the month's mobile data is used: figures, a bar, and a word when it is nearly or quite gone. */
export function LimitCard({ traffic, month }: { traffic: Used; month: string }) {
  const reader = useReader(device)
  const { t } = reader
  const { limitMb, alarmPercent, usedMb } = traffic
  const state = limitState(traffic)
  const percent = limitMb === null ? 0 : Math.round((usedMb / limitMb) * 100)
  return (
    <section className="card limit-card">
      <div className="card-head">
        <h2>{t('deviceTraffic.used', { month })}</h2>
        {(state === 'alarm' || state === 'over') && (
          <SoftTag tone={tones[state]}>{t(`deviceTraffic.state.${state}`)}</SoftTag>
        )}
      </div>
      <div className="value-line">
        <span className="value-figure figure">{t('deviceTraffic.megabytes', { shown: reader.number(usedMb) })}</span>
        <span className="value-more">
          {limitMb === null
            ? t('deviceTraffic.noLimit')
            : t('deviceTraffic.ofLimit', { limit: reader.number(limitMb), percent: reader.number(percent) })}
        </span>
      </div>
      {limitMb !== null && (
        <div className="limit-bar" data-state={state} aria-hidden="true">
          <span style={{ width: `${Math.min(100, percent)}%` }} />
          {alarmPercent !== null && <i style={{ left: `${alarmPercent}%` }} />}
        </div>
      )}
      <p className="quiet">{t('deviceTraffic.mobileOnly')}</p>
    </section>
  )
}
