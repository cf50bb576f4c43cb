import { device, refusedConnections } from '@campanile/contract/device'
import { useQuery } from '@tanstack/react-query'
import { Drawer, Skeleton } from 'antd'
import { useState } from 'react'
import { Failed } from '../../../kit/Failed.tsx'
import { calls, Time, useReader } from '../../../kit/index.ts'
import { SearchInput } from '../../../kit/inputs/SearchInput.tsx'
import { timeText } from '../../../kit/time.ts'
import { NotServed } from '../NotServed.tsx'
import { refusedText } from '../refusedText.ts'

const everyMs = 3_000

/** "Why does my device not appear": who tried to connect, what was wrong with it and what to do about it. */
export function RefusedPanel({ onClose }: { onClose: () => void }) {
  const reader = useReader(device)
  const { t } = reader
  const [wanted, setWanted] = useState('')
  const { data, error, refetch } = useQuery({
    queryKey: ['refusedConnections'],
    queryFn: ({ signal }) => calls.call(refusedConnections, {}, { signal }),
    refetchInterval: everyMs,
  })
  const text = wanted.trim().toLowerCase()
  const rows = (data?.rows ?? []).filter(({ sn, address }) =>
    `${sn ?? ''} ${address ?? ''}`.toLowerCase().includes(text),
  )
  return (
    <Drawer open size={720} title={t('deviceRefused.title')} onClose={onClose}>
      <div className="import-step">
        <p>{t(data?.strangers === false ? 'deviceRefused.leadOwn' : 'deviceRefused.lead')}</p>
        <SearchInput value={wanted} label={t('deviceRefused.search')} onChange={setWanted} />
        <NotServed />
        {error && !data && <Failed error={error} onRetry={refetch} />}
        {!error && !data && <Skeleton active />}
        {data && rows.length === 0 && (
          <p className="card-empty" role="status">
            {t(text === '' ? 'deviceRefused.none' : 'deviceRefused.noMatch')}
          </p>
        )}
        {rows.length > 0 && (
          <div className="tab-table">
            <table className="plain-table refused-table">
              <thead>
                <tr>
                  {['time', 'sn', 'reason', 'count'].map((name) => (
                    <th key={name} scope="col">
                      {t(`deviceRefused.column.${name}`)}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {rows.map(({ time, firstTime, sn, address, reason, count, message }) => (
                  <tr key={`${sn}\n${address}\n${reason}`}>
                    <td>
                      <Time value={time} reader={reader} />
                    </td>
                    <td>
                      <div className="mono">{sn ?? '–'}</div>
                      <div className="mono quiet">{address ?? t('deviceRefused.several')}</div>
                    </td>
                    <td>
                      <div className="refused-reason">
                        {t(`deviceRefused.refusal.${reason}`)}
                        {message?.fault && <span className="refused-part">{refusedText(message, reader)}</span>}
                        <span className="refused-help">{t(`deviceRefused.refusalHelp.${reason}`)}</span>
                      </div>
                    </td>
                    <td className="figure right">
                      {reader.number(count)}
                      {count > 1 && (
                        <div className="quiet">{t('deviceRefused.first', { time: timeText(new Date(firstTime)) })}</div>
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </div>
    </Drawer>
  )
}
