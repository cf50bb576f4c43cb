import { device } from '@campanile/contract/device'
import { useReader } from '../../../kit/index.ts'
import { trafficText } from '../../../kit/size.ts'
import { type Day, type Network, type Span, spanName, usedOn } from './span.ts'

/** What was used in a period of one's own, which no limit is for. */
export function TotalCard({ told, span, network }: { told: readonly Day[]; span: Span; network: Network }) {
  const reader = useReader(device)
  const { t } = reader
  const total = told.reduce((sum, day) => sum + usedOn(day, network), 0)
  return (
    <section className="card limit-card">
      <div className="card-head">
        <h2>{t('deviceTraffic.usedBetween', { period: spanName(span) })}</h2>
      </div>
      <div className="value-line">
        <span className="value-figure figure">{trafficText(total, reader)}</span>
        <span className="value-more">
          {t('deviceTraffic.network.label')}: {t(`deviceTraffic.network.${network}`)}
        </span>
      </div>
    </section>
  )
}
