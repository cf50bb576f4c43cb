import { type DeviceDetail, device } from '@campanile/contract/device'
import { Segmented, Skeleton } from 'antd'
import { useSearchParams } from 'react-router'
import { SharedCrosshair } from '../../../kit/chart/crosshair.ts'
import { LineChart } from '../../../kit/chart/LineChart.tsx'
import { Failed } from '../../../kit/Failed.tsx'
import { useReader } from '../../../kit/index.ts'
import { axisText } from './clockText.ts'
import { OwnChart } from './OwnChart.tsx'
import { useChartEvents } from './useChartEvents.ts'
import { type Range, ranges, useHistory } from './useHistory.ts'
import { drawn, valueText } from './values.ts'

const isRange = (text: string | null): text is Range => text !== null && text in ranges

/** Every value that is kept over time, from the last hour to the last year. */
export function HistoryTab({ detail }: { detail: DeviceDetail }) {
  const { sn } = detail.row
  const reader = useReader(device)
  const { t } = reader
  const [params, setParams] = useSearchParams()
  const asked = params.get('range')
  const range: Range = isRange(asked) ? asked : 'day'
  const { data, error, refetch, isPlaceholderData } = useHistory(
    sn,
    drawn.map(({ name }) => name),
    range,
  )
  const events = useChartEvents(sn, range)
  const words = { min: t('deviceDetail.chart.min'), avg: t('deviceDetail.chart.avg'), max: t('deviceDetail.chart.max') }
  const ownNumbers = Object.keys(detail.own)
    .filter((name) => typeof detail.own[name]?.value === 'number')
    .sort((a, b) => a.localeCompare(b))
  const told = data ? drawn.filter(({ name }) => (data.series[name]?.length ?? 0) > 0) : []
  return (
    <>
      <div className="tab-head">
        <Segmented
          value={range}
          aria-label={t('deviceDetail.range.label')}
          onChange={(next) => setParams({ tab: 'history', range: next })}
          options={(Object.keys(ranges) as Range[]).map((each) => ({
            value: each,
            label: t(`deviceDetail.range.${each}`),
          }))}
        />
        <span className="quiet">{t('deviceDetail.chart.lead')}</span>
      </div>
      {error && !data && <Failed error={error} onRetry={refetch} card />}
      {!error && !data && <Skeleton active />}
      {data && told.length === 0 && ownNumbers.length === 0 && (
        <p className="list-state card" role="status">
          {t('deviceDetail.chart.none')}
        </p>
      )}
      {data && (
        <SharedCrosshair>
          <div className={`device-charts ${isPlaceholderData ? 'dimmed' : ''}`}>
            {told.map(({ name, tone, range: natural }) => (
              <section key={name} className="card">
                <h2>{t(`deviceDetail.value.${name}`)}</h2>
                <LineChart
                  label={t(`deviceDetail.value.${name}`)}
                  points={data.series[name] ?? []}
                  step={data.step}
                  from={data.from}
                  to={data.to}
                  {...(natural ? { range: natural } : {})}
                  tone={tone}
                  valueText={(value) => valueText(name, value, reader)}
                  timeText={(time) => axisText(time, ranges[range])}
                  words={words}
                  events={events}
                />
              </section>
            ))}
            {ownNumbers.map((name) => (
              <OwnChart key={name} sn={sn} name={name} range={range} />
            ))}
          </div>
        </SharedCrosshair>
      )}
    </>
  )
}
