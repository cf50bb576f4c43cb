import type { Resource } from '@campanile/contract/kit'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { calls } from '../calls.ts'
import { chosenIds, type PickerProps, tellChosen } from './pickerProps.ts'
import { optionsKey, useRefNames } from './useRefNames.ts'

type Props = PickerProps & {
  /** The resource and the field whose rows are chosen. */
  resource: Resource
  name: string
}

const pageSize = 20

/** So many rows at a time; typing looks for others. */
export function RefPicker(props: Props) {
  const { resource, name, label } = props
  const { t } = useTranslation()
  const [search, setSearch] = useState('')
  const [wanted, setWanted] = useState(false)
  const found = useQuery({
    queryKey: [...optionsKey(resource, name), search],
    queryFn: () => calls.options(resource, name, { ...(search === '' ? {} : { search }), pageSize }),
    enabled: wanted,
    placeholderData: keepPreviousData,
  })
  const ids = chosenIds(props)
  const names = useRefNames(resource, name, ids)
  const rows = found.data?.rows ?? []
  const more = (found.data?.total ?? 0) - rows.length
  const chosen = ids.map((id) => ({ value: id, label: names.get(id) ?? `#${id}` }))
  return (
    <Select
      {...(props.id === undefined ? {} : { id: props.id })}
      className="whole"
      labelInValue
      allowClear
      {...(props.multiple ? { mode: 'multiple' as const } : {})}
      showSearch={{ filterOption: false, onSearch: setSearch, searchValue: search }}
      onOpenChange={(open) => open && setWanted(true)}
      value={(props.multiple ? chosen : chosen[0]) as never}
      onChange={(next) => tellChosen(props, next as never)}
      options={rows.map((row) => ({ value: row.id, label: row.name }))}
      {...(props.onBlur ? { onBlur: props.onBlur } : {})}
      disabled={props.disabled === true}
      {...(props.invalid ? { status: 'error' as const } : {})}
      placeholder={props.disabled === true ? '–' : t('kit.input.choose')}
      aria-label={label}
      aria-describedby={props.describedBy}
      notFoundContent={t(found.isPending && wanted ? 'kit.input.loading' : 'kit.input.noHit')}
      popupRender={(menu) => (
        <>
          {menu}
          {more > 0 && <p className="picker-more quiet">{t('kit.input.more', { count: more })}</p>}
        </>
      )}
    />
  )
}
