import { CloseOutlined } from '@ant-design/icons'
import { device } from '@campanile/contract/device'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DeviceLink } from '../../../kit/DeviceLink.tsx'
import { useReader } from '../../../kit/index.ts'
import { SearchInput } from '../../../kit/inputs/SearchInput.tsx'
import { Pager } from '../../../kit/list/Pager.tsx'
import { IotStatus } from '../../device/pickers.tsx'
import type { BatchDevice } from './useBatchDevices.ts'

interface Props {
  devices: readonly (Partial<BatchDevice> & { sn: string })[]
  onRemove: (sn: string) => void
  disabled: boolean
}
const pageSize = 10
const holds = (text: string | undefined, part: string) =>
  part.trim() === '' || (text ?? '').toLowerCase().includes(part.trim().toLowerCase())

/** The devices that were chosen, to look through and to take out of. */
export function BatchDevices({ devices, onRemove, disabled }: Props) {
  const { t } = useTranslation()
  const reader = useReader(device)
  const [sn, setSn] = useState('')
  const [batch, setBatch] = useState('')
  const [page, setPage] = useState(1)
  const matching = devices.filter((each) => holds(each.sn, sn) && holds(each.batchNumber, batch))
  const last = Math.max(1, Math.ceil(matching.length / pageSize))
  const at = Math.min(page, last)
  return (
    <>
      <search className="filter-bar" aria-label={t('kit.filter.label')}>
        <SearchInput className="filter-input" label={reader.field('sn')} value={sn} onChange={setSn} />
        <SearchInput className="filter-input" label={reader.field('batchNumber')} value={batch} onChange={setBatch} />
      </search>
      <div className="batch-table">
        <table className="plain-table">
          <caption className="visually-hidden">{t('batch.devices')}</caption>
          <thead>
            <tr>
              {(['sn', 'batchNumber', 'deviceType', 'iotStatus'] as const).map((name) => (
                <th key={name} scope="col">
                  {reader.field(name)}
                </th>
              ))}
              <th scope="col">
                <span className="visually-hidden">{t('batch.remove')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {matching.slice((at - 1) * pageSize, at * pageSize).map((each) => (
              <tr key={each.sn}>
                <td className="mono">
                  <DeviceLink sn={each.sn} />
                </td>
                <td>{each.batchNumber ?? '–'}</td>
                <td>{each.deviceType === undefined ? '–' : reader.code('deviceType', each.deviceType)}</td>
                <td>
                  {each.iotStatus === undefined ? (
                    '–'
                  ) : (
                    <IotStatus state={each.iotStatus} activation={each.activationStatus} />
                  )}
                </td>
                <td>
                  <Button
                    type="text"
                    size="small"
                    icon={<CloseOutlined />}
                    disabled={disabled}
                    aria-label={t('batch.removeOne', { sn: each.sn })}
                    onClick={() => onRemove(each.sn)}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {matching.length === 0 && <p className="list-state">{t('kit.list.noMatch')}</p>}
      </div>
      {matching.length > pageSize && <Pager page={at} pageSize={pageSize} total={matching.length} onPage={setPage} />}
    </>
  )
}
