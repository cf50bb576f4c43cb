import type { Target } from '@campanile/contract/command'
import { device, devicesMax, groupDetail } from '@campanile/contract/device'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { calls, useReader } from '../../kit/index.ts'
import { ChosenSerials } from './pick/ChosenSerials.tsx'
import { PickDialog } from './pick/opened.ts'
import type { DeviceFilter } from './pick/useDevicePage.ts'
import './pick/pick.css'

export { NotServed } from './NotServed.tsx'
export { IotStatus } from './pick/IotStatus.tsx'
export { targetOfGroup, targetOfView } from './pick/namedTargets.ts'
export { ViewOrGroup } from './pick/ViewOrGroup.tsx'
export { SelectionButtons, SelectionCard } from './selection/SelectionCard.tsx'
export { SelectionTable } from './selection/SelectionTable.tsx'
export { type SelectionPurpose, useSelection } from './selection/useSelection.ts'

export { PickDialog }

interface Props {
  id?: string
  label: string
  value: Target | undefined
  onChange: (value: Target | undefined) => void
  /** Only devices that fit, in the words of the device list's filter. */
  only?: DeviceFilter
  /** False where a whole group is not taken. */
  groups?: boolean
  disabled?: boolean
  invalid?: boolean
  describedBy?: string | undefined
}

/** Who is meant: ticked in a list, pasted, read from a file, or a whole group. At most 10,000. */
export function DeviceTargetInput({ label, value, onChange, only, groups = true, disabled = false, ...field }: Props) {
  const reader = useReader(device)
  const { t } = reader
  const [open, setOpen] = useState(false)
  const sns = value && 'sns' in value ? value.sns : []
  const verb = t(value === undefined ? 'devicePicker.choose' : 'devicePicker.change')
  const change = (next: readonly string[]) => onChange(next.length > 0 ? { sns: [...next] } : undefined)
  return (
    <fieldset
      className="device-target"
      aria-label={label}
      aria-describedby={field.describedBy}
      data-invalid={field.invalid === true}
      disabled={disabled}
    >
      {value === undefined && <span className="quiet">{t('devicePicker.none')}</span>}
      {sns.length > 0 && <ChosenSerials sns={sns} onChange={change} disabled={disabled} />}
      {value && 'groupId' in value && <GroupChip groupId={value.groupId} />}
      {value && 'filter' in value && <span className="chip picked">{t('devicePicker.byFilter')}</span>}
      <div className="device-target-buttons">
        <Button
          {...(field.id === undefined ? {} : { id: field.id })}
          // A label points here; the button is still called what it does.
          aria-label={verb}
          {...PickDialog.near}
          onClick={() => setOpen(true)}
          disabled={disabled}
        >
          {verb}
        </Button>
        {value !== undefined && (
          <Button type="text" onClick={() => onChange(undefined)} disabled={disabled}>
            {t('devicePicker.clear')}
          </Button>
        )}
      </div>
      {sns.length > devicesMax && (
        <div className="field-error" role="alert">
          {t('devicePicker.tooMany', { limit: reader.number(devicesMax) })}
        </div>
      )}
      {open && (
        <PickDialog
          title={label}
          value={value}
          only={only}
          groups={groups}
          onChoose={(next) => {
            onChange(next)
            setOpen(false)
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </fieldset>
  )
}

function GroupChip({ groupId }: { groupId: number }) {
  const reader = useReader(device)
  const { data } = useQuery({
    queryKey: ['list', 'deviceGroup', 'detail', groupId],
    queryFn: ({ signal }) => calls.call(groupDetail, { id: groupId }, { signal }),
  })
  return (
    <span className="chip picked">
      {data
        ? reader.t('devicePicker.ofGroup', {
            name: data.row.name,
            count: data.row.deviceCount,
            shown: reader.number(data.row.deviceCount),
          })
        : `#${groupId}`}
    </span>
  )
}
