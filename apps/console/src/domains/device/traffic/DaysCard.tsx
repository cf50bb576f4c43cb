import { device } from '@campanile/contract/device'
import { Bars } from '../../../kit/chart/Bars.tsx'
import { useReader } from '../../../kit/index.ts'
import { trafficText } from '../../../kit/size.ts'
import { type Day, datesOf, type Network, networks, type Span, usedOn } from './span.ts'

/** Traffic by day, as a chart and as figures. */
export function DaysCard({ told, span, network }: { told: readonly Day[]; span: Span; network: Network }) {
  const reader = useReader(device)
  const { t } = reader
  if (told.length === 0)
    return (
      <p className="list-state card" role="status">
        {t('deviceTraffic.none')}
      </p>
    )
  const shown = networks[network]
  const days = new Map(told.map((day) => [day.date, day]))
  const size = (bytes: number) => trafficText(bytes, reader)
  return (
    <>
      <section className="card">
        <Bars
          label={t('deviceTraffic.title')}
          parts={shown.map((name) => t(`deviceTraffic.column.${name}`))}
          bars={datesOf(span).map((date) => ({
            key: date,
            label: date,
            values: shown.map((name) => days.get(date)?.[name] ?? 0),
          }))}
          valueText={size}
        />
      </section>
      <div className="tab-table">
        <table className="plain-table">
          <caption className="visually-hidden">{t('deviceTraffic.title')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('deviceTraffic.column.date')}</th>
              {[...shown, 'total'].map((name) => (
                <th key={name} scope="col" className="right">
                  {t(`deviceTraffic.column.${name}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {told.toReversed().map((day) => (
              <tr key={day.date}>
                <td className="figure">{day.date}</td>
                {shown.map((name) => (
                  <td key={name} className="figure right">
                    {size(day[name])}
                  </td>
                ))}
                <td className="figure right">{size(usedOn(day, network))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}
