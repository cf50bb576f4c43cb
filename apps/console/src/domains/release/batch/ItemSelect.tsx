import type { Resource } from '@campanile/contract/kit'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { calls } from '../../../kit/index.ts'
import { listKey } from '../../../kit/list/useResourceList.ts'
import type { Releasing } from '../releaseItem.tsx'

type Item = Releasing['item']

interface Props {
  resource: Resource
  by: string
  read: (row: never) => Item
  id: string
  'aria-invalid': boolean
  'aria-describedby': string | undefined
  value: Item | undefined
  onChange: (item: Item | undefined) => void
}

const pageSize = 20
const labelOf = ({ name, version }: Item) => [name, version].filter(Boolean).join(' ')

/** The newest at first; typing looks for others. */
export function ItemSelect({ resource, by, read, id, value, onChange, ...state }: Props) {
  const { t } = useTranslation()
  const [search, setSearch] = useState('')
  const wire = { ...(search === '' ? {} : { [by]: search }), page: 1, pageSize }
  const { data, isPending } = useQuery({
    queryKey: [...listKey(resource), 'items', wire],
    queryFn: ({ signal }) => calls.list(resource, wire, { signal }),
    placeholderData: keepPreviousData,
  })
  const found = (data?.rows ?? []).map((row) => read(row as never))
  const more = (data?.total ?? 0) - found.length
  return (
    <Select
      id={id}
      className="whole"
      allowClear
      showSearch={{ filterOption: false, onSearch: setSearch, searchValue: search }}
      labelInValue
      {...(value && { value: { value: value.id, label: labelOf(value) } })}
      onChange={(chosen: { value: number; label: string } | undefined) =>
        onChange(found.find((each) => each.id === chosen?.value))
      }
      options={found.map((each) => ({ value: each.id, label: labelOf(each) }))}
      placeholder={t('kit.input.choose')}
      {...(state['aria-invalid'] ? { status: 'error' as const } : {})}
      aria-describedby={state['aria-describedby']}
      notFoundContent={t(isPending ? 'kit.input.loading' : 'kit.input.noHit')}
      popupRender={(menu) => (
        <>
          {menu}
          {more > 0 && <p className="picker-more quiet">{t('kit.input.more', { count: more })}</p>}
        </>
      )}
    />
  )
}
