import { device, deviceTraffic, exportTraffic, setTrafficLimit } from '@campanile/contract/device'
import type { AnswerOf } from '@campanile/contract/kit'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button, Skeleton } from 'antd'
import { useState } from 'react'
import { Bars } from '../../../kit/chart/Bars.tsx'
import { Failed } from '../../../kit/Failed.tsx'
import { calls, saveBlob, usePermitted, useReader } from '../../../kit/index.ts'
import { trafficText } from '../../../kit/size.ts'
import { showError } from '../../../shell/feedback.ts'
import { AppsCard } from './AppsCard.tsx'
import { LimitCard } from './LimitCard.tsx'
import { LimitDialog } from './LimitDialog.tsx'
import { SpanPicker } from './SpanPicker.tsx'
import { datesOf, type Network, networks, type Span, spanName, thisMonth } from './span.ts'

type Day = AnswerOf<typeof deviceTraffic>['days'][number]

/** A month of traffic by day and network, against its limit; or the days between any two. */
export function TrafficPanel({ sn }: { sn: string }) {
  const reader = useReader(device)
  const { t } = reader
  const [span, setSpan] = useState<Span>(thisMonth)
  const [network, setNetwork] = useState<Network>('all')
  const [limiting, setLimiting] = useState(false)
  const mayLimit = usePermitted(setTrafficLimit.perm)
  const mayExport = usePermitted(exportTraffic.perm)
  const { data, error, refetch } = useQuery({
    queryKey: ['deviceTraffic', sn, span],
    queryFn: ({ signal }) => calls.call(deviceTraffic, { sn, ...span }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  })
  if (error && !data) return <Failed error={error} onRetry={refetch} card />
  if (!data) return <Skeleton active />
  const shown = networks[network]
  const used = (day: Day) => shown.reduce((sum, name) => sum + day[name], 0)
  const days = new Map(data.days.map((day) => [day.date, day]))
  const size = (bytes: number) => trafficText(bytes, reader)
  const save = async () => {
    try {
      const { blob, fileName } = await calls.download(exportTraffic, { sn, ...span })
      saveBlob(blob, fileName ?? `${sn} ${spanName(span)}.xlsx`)
    } catch (problem) {
      showError(problem)
    }
  }
  return (
    <div className="device-stack">
      {'month' in span && <LimitCard traffic={data} month={span.month} />}
      <div className="tab-head">
        <SpanPicker span={span} onSpan={setSpan} network={network} onNetwork={setNetwork} />
        <span className="drawer-buttons">
          {mayExport && <Button onClick={save}>{t('kit.list.export')}</Button>}
          {mayLimit && <Button onClick={() => setLimiting(true)}>{t('deviceTraffic.setLimit')}</Button>}
        </span>
      </div>
      {data.days.length === 0 ? (
        <p className="list-state card" role="status">
          {t('deviceTraffic.none')}
        </p>
      ) : (
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
                {data.days.toReversed().map((day) => (
                  <tr key={day.date}>
                    <td className="figure">{day.date}</td>
                    {shown.map((name) => (
                      <td key={name} className="figure right">
                        {size(day[name])}
                      </td>
                    ))}
                    <td className="figure right">{size(used(day))}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
      <AppsCard sn={sn} span={span} network={network} />
      {limiting && <LimitDialog sn={sn} traffic={data} onClose={() => setLimiting(false)} />}
    </div>
  )
}
