import { deviceGroup, groupDetail } from '@campanile/contract/device'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useState } from 'react'
import { calls, useReader } from '../../../kit/index.ts'
import { listKey } from '../../../kit/list/useResourceList.ts'
import type { DeviceFilter } from './useDevicePage.ts'

interface Props {
  id?: string
  label: string
  value: number | undefined
  onChange: (groupId: number | undefined) => void
  /** Only groups of these device types. */
  deviceType?: DeviceFilter[string] | undefined
}

const atOnce = 50

/** A group, by hand or by filter, found by its name; each with how many are in it now. */
export function GroupSelect({ id, label, value, onChange, deviceType }: Props) {
  const reader = useReader(deviceGroup)
  const [name, setName] = useState('')
  const wire = { ...(name && { name }), ...(deviceType && { deviceType }), sort: 'name', page: 1, pageSize: atOnce }
  const { data, isFetching } = useQuery({
    queryKey: [...listKey(deviceGroup), wire],
    queryFn: ({ signal }) => calls.list(deviceGroup, wire, { signal }),
    placeholderData: keepPreviousData,
  })
  const listed = data?.rows.find((row) => row.id === value)
  // A group chosen earlier need not be among those listed now.
  const { data: chosen } = useQuery({
    queryKey: [...listKey(deviceGroup), 'detail', value],
    queryFn: ({ signal }) => calls.call(groupDetail, { id: value ?? 0 }, { signal }),
    enabled: value !== undefined && data !== undefined && listed === undefined,
  })
  const groups = [...(chosen && !listed ? [chosen.row] : []), ...(data?.rows ?? [])]
  return (
    <Select
      {...(id === undefined ? {} : { id })}
      className="whole"
      allowClear
      showSearch={{ filterOption: false, onSearch: setName }}
      aria-label={label}
      placeholder={label}
      value={value ?? null}
      onChange={(next: number | null) => onChange(next ?? undefined)}
      notFoundContent={reader.t(isFetching ? 'kit.input.loading' : 'kit.input.noHit')}
      options={groups.map((group) => ({
        value: group.id,
        label: `${group.name} · ${reader.option('kind', group.kind)} · ${reader.number(group.deviceCount)}`,
      }))}
    />
  )
}
