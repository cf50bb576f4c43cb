import { device, iotStates } from '@campanile/contract/device'
import { Button, Select } from 'antd'
import { useState } from 'react'
import { useReader } from '../../../kit/index.ts'
import { SearchInput } from '../../../kit/inputs/SearchInput.tsx'
import { Pager } from '../../../kit/list/Pager.tsx'
import { describeError } from '../../../shell/errorText.ts'
import { IotStatus } from './IotStatus.tsx'
import { type DeviceFilter, popupPageSize, useDevicePage } from './useDevicePage.ts'

interface Props {
  only: DeviceFilter
  chosen: ReadonlySet<string>
  onToggle: (sns: readonly string[], on: boolean) => void
}

/** Five devices at a time, ticked by serial; what was ticked stays while the list is searched and paged. */
export function DeviceTicks({ only, chosen, onToggle }: Props) {
  const reader = useReader(device)
  const { t } = reader
  const [typed, setTyped] = useState<Record<string, string | string[]>>({})
  const [page, setPage] = useState(1)
  const filter = Object.fromEntries(Object.entries({ ...typed, ...only }).filter(([, value]) => value.length > 0))
  const { data, error, isFetching, refetch } = useDevicePage(filter, page)
  const ask = (change: Record<string, string | string[]>) => {
    setTyped((before) => ({ ...before, ...change }))
    setPage(1)
  }
  const rows = data?.rows ?? []
  const here = rows.map(({ sn }) => sn)
  const all = here.length > 0 && here.every((sn) => chosen.has(sn))
  return (
    <>
      <search className="filter-bar" aria-label={t('kit.filter.label')}>
        <SearchInput className="filter-input" label={reader.field('sn')} onChange={(sn) => ask({ sn: sn.trim() })} />
        <Select
          className="pick-status"
          mode="multiple"
          aria-label={reader.field('iotStatus')}
          placeholder={reader.field('iotStatus')}
          options={iotStates.map((value) => ({ value, label: reader.option('iotStatus', value) }))}
          onChange={(iotStatus: string[]) => ask({ iotStatus })}
        />
      </search>
      {error && !data ? (
        <div className="list-state" role="alert">
          <strong>{describeError(error).title}</strong>
          <p>{describeError(error).text}</p>
          <Button onClick={() => refetch()}>{t('kit.list.retry')}</Button>
        </div>
      ) : (
        <div className={isFetching ? 'pick-table dimmed' : 'pick-table'}>
          <table className="plain-table">
            <caption className="visually-hidden">{reader.title}</caption>
            <thead>
              <tr>
                <th scope="col">
                  <label className="tick-box">
                    <input
                      type="checkbox"
                      checked={all}
                      aria-label={t('kit.list.selectPage')}
                      onChange={() => onToggle(here, !all)}
                    />
                  </label>
                </th>
                {(['sn', 'iotStatus', 'deviceType', 'model', 'departmentId'] as const).map((name) => (
                  <th key={name} scope="col">
                    {reader.field(name)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.id}>
                  <td>
                    <label className="tick-box">
                      <input
                        type="checkbox"
                        checked={chosen.has(row.sn)}
                        aria-label={t('kit.list.selectRow', { name: row.sn })}
                        onChange={() => onToggle([row.sn], !chosen.has(row.sn))}
                      />
                    </label>
                  </td>
                  <td className="mono">{row.sn}</td>
                  <td>
                    <IotStatus state={row.iotStatus} />
                  </td>
                  <td>{reader.code('deviceType', row.deviceType)}</td>
                  <td>{row.model ?? '–'}</td>
                  <td>{row.departmentName}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {data && rows.length === 0 && <p className="list-state">{t('kit.list.noMatch')}</p>}
        </div>
      )}
      {data && data.total > popupPageSize && (
        <Pager page={page} pageSize={popupPageSize} total={data.total} onPage={setPage} />
      )}
    </>
  )
}
