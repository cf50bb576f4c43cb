import { device, devicesMax } from '@campanile/contract/device'
import { Button } from 'antd'
import { useState } from 'react'
import { useReader } from '../../../kit/index.ts'
import { FilterBar } from '../../../kit/list/FilterBar.tsx'
import { filterTexts } from '../../../kit/list/listState.ts'
import { Pager } from '../../../kit/list/Pager.tsx'
import { useLocalFilters } from '../../../kit/list/useLocalFilters.ts'
import { describeError } from '../../../shell/errorText.ts'
import { showError } from '../../../shell/feedback.ts'
import { useGroupChoices } from '../list/groupChoices.ts'
import { IotStatus } from './IotStatus.tsx'
import { type DeviceFilter, gatherSerials, useDevicePage } from './useDevicePage.ts'

const pageSize = 20

interface Props {
  only: DeviceFilter
  chosen: ReadonlySet<string>
  onToggle: (sns: readonly string[], on: boolean) => void
}

/** The device list to tick in, with its filters; what was ticked stays while it is filtered and paged. */
export function DeviceTicks({ only, chosen, onToggle }: Props) {
  const reader = useReader(device)
  const { t } = reader
  const local = useLocalFilters(device, {}, Object.keys(only))
  // What is counted beside the options is what could be ticked here.
  const filters = { ...local, asked: { ...local.state.filters, ...only } }
  const groups = useGroupChoices()
  const filter = { ...filterTexts(filters.state.filters), ...only }
  const asked = JSON.stringify(filter)
  const [at, setAt] = useState({ asked, page: 1 })
  // Other filters begin with their first page.
  const page = at.asked === asked ? at.page : 1
  const { data, error, isFetching, refetch } = useDevicePage(filter, page, pageSize)
  const [gathering, setGathering] = useState(false)
  const chooseAll = async () => {
    setGathering(true)
    try {
      onToggle(await gatherSerials(filter), true)
    } catch (problem) {
      showError(problem)
    } finally {
      setGathering(false)
    }
  }
  const rows = data?.rows ?? []
  const total = data?.total ?? 0
  const here = rows.map(({ sn }) => sn)
  const all = here.length > 0 && here.every((sn) => chosen.has(sn))
  return (
    <>
      <FilterBar list={filters} reader={reader} choices={{ groupId: groups }} />
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
                    <IotStatus state={row.iotStatus} activation={row.activationStatus} />
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
      {total > 0 && (
        <div className="pick-foot">
          <Button
            type="link"
            size="small"
            loading={gathering}
            disabled={total > devicesMax}
            title={total > devicesMax ? t('devicePicker.tooMany', { limit: reader.number(devicesMax) }) : ''}
            onClick={chooseAll}
          >
            {t('kit.selection.allMatching', { count: total, shown: reader.number(total) })}
          </Button>
          {total > pageSize && (
            <Pager page={page} pageSize={pageSize} total={total} onPage={(next) => setAt({ asked, page: next })} />
          )}
        </div>
      )}
    </>
  )
}
