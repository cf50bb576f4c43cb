import { device, deviceOwnHistory } from '@campanile/contract/device'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { LineChart } from '../../../kit/chart/LineChart.tsx'
import { calls, useReader } from '../../../kit/index.ts'
import { axisText } from './clockText.ts'
import { everyMs, type Range, ranges } from './useHistory.ts'
import { ownValueText } from './values.ts'

/** A number by a name of the device's own, over time; nothing where there is none of that time. */
export function OwnChart({ sn, name, range }: { sn: string; name: string; range: Range }) {
  const reader = useReader(device)
  const { t } = reader
  const { data } = useQuery({
    queryKey: ['deviceOwnHistory', sn, name, range],
    queryFn: async ({ signal }) => {
      const to = Date.now()
      const from = to - ranges[range]
      const times = { startTime: new Date(from).toISOString(), endTime: new Date(to).toISOString() }
      return { ...(await calls.call(deviceOwnHistory, { sn, name, ...times }, { signal })), from, to }
    },
    refetchInterval: everyMs(range),
    placeholderData: keepPreviousData,
  })
  if (!data || data.points.length === 0) return null
  return (
    <section className="card">
      <h2 className="mono">{name}</h2>
      <LineChart
        label={name}
        points={data.points}
        step={data.step}
        from={data.from}
        to={data.to}
        tone="accent"
        valueText={(value) => ownValueText(value, reader)}
        timeText={(time) => axisText(time, ranges[range])}
        words={{ min: t('deviceDetail.chart.min'), avg: t('deviceDetail.chart.avg'), max: t('deviceDetail.chart.max') }}
      />
    </section>
  )
}
