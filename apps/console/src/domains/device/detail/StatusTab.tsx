import { type DeviceDetail, device, leadingValues } from '@campanile/contract/device'
import { LineChart } from '../../../kit/chart/LineChart.tsx'
import { Time, useReader } from '../../../kit/index.ts'
import { clockText } from './clockText.ts'
import { Facts } from './Facts.tsx'
import { OwnValues } from './OwnValues.tsx'
import { Timeline } from './Timeline.tsx'
import { useHistory } from './useHistory.ts'
import { beside, drawn, isAway, isOld, problemValues, valueText } from './values.ts'

const lately = 8

/** How it is now: live figures with the last hour drawn, plain facts, and what happened last. */
export function StatusTab({ detail }: { detail: DeviceDetail }) {
  const reader = useReader(device)
  const { t } = reader
  const { sn } = detail.row
  // What matters to a device of this type, and only what it tells: an empty fact is no figure.
  const leading = leadingValues(detail.row.deviceType, (name) => detail.values[name] !== undefined)
  const cards = leading.map((name) => ({ name, ...drawn.find((each) => each.name === name) }))
  const { data } = useHistory(
    sn,
    drawn.filter(({ name }) => leading.includes(name)).map(({ name }) => name),
    'hour',
  )
  const away = isAway(detail)
  const now = Date.now()
  const words = { min: t('deviceDetail.chart.min'), avg: t('deviceDetail.chart.avg'), max: t('deviceDetail.chart.max') }
  return (
    <div className="device-stack">
      {cards.length > 0 && (
        <div className="value-cards" data-old={away}>
          {cards.map(({ name, tone, range }) => {
            const value = detail.values[name]
            const points = data?.series[name as (typeof drawn)[number]['name']] ?? []
            const isOpen = detail.problems.some(({ problem }) => problemValues[problem] === name)
            return (
              <section
                key={name}
                className="value-card"
                data-open={isOpen}
                aria-label={t(`deviceDetail.value.${name}`)}
              >
                <h2 className="figure-label">{t(`deviceDetail.value.${name}`)}</h2>
                <div className="value-line">
                  <span className="value-figure">
                    {isOpen && <span aria-hidden="true">◆ </span>}
                    {value && valueText(name, value.value, reader)}
                  </span>
                  <span className="value-more">
                    {value && (away || value.received || isOld(value, now)) ? (
                      <>
                        {value.received && `${t('deviceDetail.clock.received')} `}
                        <Time value={value.ts} reader={reader} />
                      </>
                    ) : (
                      (beside[name] ?? [])
                        .flatMap((each) => {
                          const told = detail.values[each]
                          return told ? [valueText(each, told.value, reader)] : []
                        })
                        .join(' · ')
                    )}
                  </span>
                </div>
                {data && points.length > 1 ? (
                  <LineChart
                    bare
                    label={t('deviceDetail.chart.lastHour', { name: t(`deviceDetail.value.${name}`) })}
                    points={points}
                    step={data.step}
                    from={data.from}
                    to={data.to}
                    {...(range ? { range } : {})}
                    {...(tone ? { tone } : {})}
                    valueText={(each) => valueText(name, each, reader)}
                    timeText={clockText}
                    words={words}
                  />
                ) : (
                  <div className="value-card-plain" />
                )}
              </section>
            )
          })}
        </div>
      )}
      <div className="device-columns">
        <div className="device-stack">
          <Facts detail={detail} besides={leading} />
          <OwnValues detail={detail} />
        </div>
        <section className="card">
          <div className="card-head">
            <h2>{t('deviceDetail.tab.timeline')}</h2>
            <span className="quiet">{t('deviceDetail.timeline.lead')}</span>
          </div>
          <Timeline sn={sn} most={lately} />
        </section>
      </div>
    </div>
  )
}
