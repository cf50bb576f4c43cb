import { deviceSetting } from '@campanile/contract/command'
import { useState } from 'react'
import { DeviceLink } from '../../../kit/DeviceLink.tsx'
import { StateMark, Time, useReader } from '../../../kit/index.ts'
import { Pager } from '../../../kit/list/Pager.tsx'
import { Reason } from '../task/Reason.tsx'
import { type Detail, syncOf } from './settingValues.ts'
import { TableCard } from './TableCard.tsx'

const tones = { synced: 'good', waiting: 'accent', outdated: 'warning', failed: 'bad' } as const
const pageSize = 10

/** Which devices have the newest version, which wait for it, and which refused and why. */
export function DevicesCard({ detail: { devices, version } }: { detail: Detail }) {
  const reader = useReader(deviceSetting)
  const { t } = reader
  const [page, setPage] = useState(1)
  return (
    <TableCard
      name="devices"
      columns={['sn', 'state', 'reason', 'time']}
      empty={t('deviceSetting.detail.noDevices')}
      rows={devices.slice((page - 1) * pageSize, page * pageSize).map((device) => {
        const sync = syncOf(device, version)
        return (
          <tr key={device.sn}>
            <td className="mono">
              <DeviceLink sn={device.sn} />
            </td>
            <td>
              <StateMark tone={tones[sync]}>{t(`deviceSetting.detail.sync.${sync}`)}</StateMark>{' '}
              <span className="quiet">
                {device.version !== null && t('deviceSetting.detail.version', { version: device.version })}
              </span>
            </td>
            <td>
              <Reason reason={device.reason} />
            </td>
            <td>
              <Time value={device.updateTime} reader={reader} />
            </td>
          </tr>
        )
      })}
    >
      {devices.length > pageSize && <Pager page={page} pageSize={pageSize} total={devices.length} onPage={setPage} />}
    </TableCard>
  )
}
