import { device, deviceTraffic, exportTraffic, setTrafficLimit } from '@campanile/contract/device'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button, Skeleton } from 'antd'
import { useState } from 'react'
import { Failed } from '../../../kit/Failed.tsx'
import { calls, saveBlob, usePermitted, useReader } from '../../../kit/index.ts'
import { showError } from '../../../shell/feedback.ts'
import { AppsCard } from './AppsCard.tsx'
import { DaysCard } from './DaysCard.tsx'
import { LimitCard } from './LimitCard.tsx'
import { LimitDialog } from './LimitDialog.tsx'
import { SpanPicker } from './SpanPicker.tsx'
import { type Network, type Span, spanName, thisMonth } from './span.ts'
import { TotalCard } from './TotalCard.tsx'

/** A month of traffic by day and network, against its limit; or the days between any two. */
export function TrafficPanel({ sn }: { sn: string }) {
  const { t } = useReader(device)
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
  // The period stays to be chosen: it may be what was refused.
  const isRefused = error !== null && data === undefined
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
      {data && 'month' in span && <LimitCard traffic={data} month={span.month} />}
      {data && !('month' in span) && <TotalCard told={data.days} span={span} network={network} />}
      <div className="tab-head">
        <SpanPicker span={span} onSpan={setSpan} network={network} onNetwork={setNetwork} />
        <span className="drawer-buttons">
          {mayExport && <Button onClick={save}>{t('kit.list.export')}</Button>}
          {mayLimit && data && <Button onClick={() => setLimiting(true)}>{t('deviceTraffic.setLimit')}</Button>}
        </span>
      </div>
      {isRefused ? (
        <Failed error={error} onRetry={refetch} card />
      ) : data ? (
        <DaysCard told={data.days} span={span} network={network} />
      ) : (
        <Skeleton active />
      )}
      {!isRefused && <AppsCard sn={sn} span={span} network={network} />}
      {limiting && data && <LimitDialog sn={sn} traffic={data} onClose={() => setLimiting(false)} />}
    </div>
  )
}
