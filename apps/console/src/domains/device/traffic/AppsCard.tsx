import { type AppTraffic, device, exportTrafficByApp, protocol, trafficByApp } from '@campanile/contract/device'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button, Skeleton } from 'antd'
import { Failed } from '../../../kit/Failed.tsx'
import { calls, saveBlob, usePermitted, useReader } from '../../../kit/index.ts'
import { trafficText } from '../../../kit/size.ts'
import { showError } from '../../../shell/feedback.ts'
import { type Network, networks, type Span, spanName } from './span.ts'

interface Props {
  /** Of this device alone; without it of all within reach. */
  sn?: string
  departmentId?: number | null
  span: Span
  network: Network
}

/** What apps used of the network within the period, the greediest first. */
export function AppsCard({ sn, departmentId, span, network }: Props) {
  const reader = useReader(device)
  const { t } = reader
  const mayExport = usePermitted(exportTrafficByApp.perm)
  const asked = { ...span, ...(sn !== undefined && { sn }), ...(departmentId && { departmentId }) }
  const { data, error, refetch } = useQuery({
    queryKey: ['trafficByApp', asked],
    queryFn: ({ signal }) => calls.call(trafficByApp, asked, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  })
  if (error && !data) return <Failed error={error} onRetry={refetch} card />
  if (!data) return <Skeleton active />
  // What no network is known of belongs to all of them together only.
  const hasOther = network === 'all' && data.rows.some(({ up, down }) => up + down > 0)
  const shown: readonly protocol.AppCounter[] = hasOther ? protocol.appCounters : networks[network]
  const used = (row: AppTraffic) => shown.reduce((sum, name) => sum + row[name], 0)
  const rows = data.rows.filter((row) => used(row) > 0).sort((a, b) => used(b) - used(a))
  const size = (bytes: number) => trafficText(bytes, reader)
  const save = async () => {
    try {
      const { blob, fileName } = await calls.download(exportTrafficByApp, asked)
      saveBlob(blob, fileName ?? `${t('deviceTraffic.byApp')} ${spanName(span)}.xlsx`)
    } catch (problem) {
      showError(problem)
    }
  }
  return (
    <>
      <div className="tab-head">
        <h2 className="tab-title">{t(sn === undefined ? 'deviceTraffic.apps' : 'deviceTraffic.byApp')}</h2>
        {mayExport && rows.length > 0 && <Button onClick={save}>{t('deviceTraffic.exportApps')}</Button>}
      </div>
      {rows.length === 0 ? (
        <p className="list-state card" role="status">
          {t(sn === undefined ? 'deviceTraffic.noApps' : 'deviceTraffic.noAppsOne')}
        </p>
      ) : (
        <div className="tab-table">
          <table className="plain-table">
            <caption className="visually-hidden">{t('deviceTraffic.byApp')}</caption>
            <thead>
              <tr>
                <th scope="col">{t('deviceTraffic.column.app')}</th>
                {sn === undefined && (
                  <th scope="col" className="right">
                    {t('deviceTraffic.column.devices')}
                  </th>
                )}
                {[...shown, 'total'].map((name) => (
                  <th key={name} scope="col" className="right">
                    {t(`deviceTraffic.column.${name}`)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.package}>
                  <td>
                    {row.name ?? <span className="mono">{row.package}</span>}
                    {row.name !== null && <div className="quiet mono">{row.package}</div>}
                  </td>
                  {sn === undefined && <td className="figure right">{reader.number(row.devices)}</td>}
                  {shown.map((name) => (
                    <td key={name} className="figure right">
                      {size(row[name])}
                    </td>
                  ))}
                  <td className="figure right">{size(used(row))}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {hasOther && <p className="quiet">{t('deviceTraffic.other')}</p>}
      {data.total > data.rows.length && (
        <p className="quiet">
          {t('deviceTraffic.more', { shown: reader.number(data.rows.length), all: reader.number(data.total) })}
        </p>
      )}
    </>
  )
}
