import { device, deviceTraffic, exportTraffic, setTrafficLimit } from '@campanile/contract/device'
import type { AnswerOf } from '@campanile/contract/kit'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button, Segmented, Skeleton } from 'antd'
import dayjs from 'dayjs'
import { useState } from 'react'
import { Bars } from '../../../kit/chart/Bars.tsx'
import { Failed } from '../../../kit/Failed.tsx'
import { calls, saveBlob, usePermitted, useReader } from '../../../kit/index.ts'
import { DatePicker } from '../../../kit/inputs/calendars.ts'
import { trafficText } from '../../../kit/size.ts'
import { showError } from '../../../shell/feedback.ts'
import { LimitCard } from './LimitCard.tsx'
import { LimitDialog } from './LimitDialog.tsx'

type Day = AnswerOf<typeof deviceTraffic>['days'][number]
const networks = {
  all: ['mobileUp', 'mobileDown', 'wifiUp', 'wifiDown'],
  mobile: ['mobileUp', 'mobileDown'],
  wifi: ['wifiUp', 'wifiDown'],
} as const satisfies Record<string, readonly (keyof Day)[]>
type Network = keyof typeof networks

/** Every day of the month, told of or not: so that a place in the chart is a date. */
const datesOf = (month: string) =>
  Array.from({ length: dayjs(`${month}-01`).daysInMonth() }, (_, at) => `${month}-${String(at + 1).padStart(2, '0')}`)

/** From one day to another, both included. */
interface Range {
  readonly startDate: string
  readonly endDate: string
}
const datesBetween = ({ startDate, endDate }: Range) =>
  Array.from({ length: dayjs(endDate).diff(startDate, 'day') + 1 }, (_, at) =>
    dayjs(startDate).add(at, 'day').format('YYYY-MM-DD'),
  )

/** A month of traffic by day and network, against its limit; or the days between any two. */
export function TrafficPanel({ sn }: { sn: string }) {
  const reader = useReader(device)
  const { t } = reader
  const [month, setMonth] = useState(() => dayjs().format('YYYY-MM'))
  const [range, setRange] = useState<Range>()
  const [network, setNetwork] = useState<Network>('all')
  const [limiting, setLimiting] = useState(false)
  const span = range ?? { month }
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
      saveBlob(blob, fileName ?? `${sn} ${month}.xlsx`)
    } catch (problem) {
      showError(problem)
    }
  }
  return (
    <div className="device-stack">
      {!range && <LimitCard traffic={data} month={month} />}
      <div className="tab-head">
        <span className="traffic-span">
          <DatePicker
            picker="month"
            allowClear={false}
            format="YYYY-MM"
            aria-label={t('deviceTraffic.month')}
            value={dayjs(`${month}-01`)}
            maxDate={dayjs()}
            onChange={(next) => {
              setRange(undefined)
              setMonth((next as dayjs.Dayjs).format('YYYY-MM'))
            }}
          />
          <DatePicker.RangePicker
            aria-label={t('deviceTraffic.range')}
            value={range ? [dayjs(range.startDate), dayjs(range.endDate)] : null}
            maxDate={dayjs()}
            onChange={(ends) => {
              const [from, to] = ends ?? []
              setRange(
                from && to ? { startDate: from.format('YYYY-MM-DD'), endDate: to.format('YYYY-MM-DD') } : undefined,
              )
            }}
          />
          <Segmented
            value={network}
            aria-label={t('deviceTraffic.network.label')}
            onChange={setNetwork}
            options={(Object.keys(networks) as Network[]).map((each) => ({
              value: each,
              label: t(`deviceTraffic.network.${each}`),
            }))}
          />
        </span>
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
              bars={(range ? datesBetween(range) : datesOf(month)).map((date) => ({
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
      {limiting && <LimitDialog sn={sn} traffic={data} onClose={() => setLimiting(false)} />}
    </div>
  )
}
