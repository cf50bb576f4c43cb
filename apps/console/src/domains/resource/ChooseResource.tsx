import { customResource, resourceReleased } from '@campanile/contract/resource'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useId, useState } from 'react'
import { DrawerForm } from '../../kit/form/DrawerForm.tsx'
import { Labelled } from '../../kit/form/Labelled.tsx'
import { calls, useReader } from '../../kit/index.ts'
import { listKey } from '../../kit/list/useResourceList.ts'
import { releaseItem } from '../release/pickers.tsx'

const pageSize = 20

/** Which resource is released; whom to and how the wizard asks. */
export function ChooseResource({ onClose }: { onClose: () => void }) {
  const { t, field } = useReader(resourceReleased)
  const id = useId()
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<{ id: number; name: string }>()
  const [pressed, setPressed] = useState(false)
  const asked = { page: 1, pageSize, ...(search !== '' && { name: search }) }
  const found = useQuery({
    queryKey: [...listKey(customResource), asked],
    queryFn: ({ signal }) => calls.list(customResource, asked, { signal }),
    placeholderData: keepPreviousData,
  })
  const submit = () => {
    setPressed(true)
    if (!chosen) return document.getElementById(id)?.focus()
    onClose()
    releaseItem({ kind: 'resource', item: chosen })
  }
  return (
    <DrawerForm
      title={t('resourceReleased.action.release')}
      submit={t('resourceReleased.choose.next')}
      busy={false}
      onSubmit={submit}
      onClose={onClose}
    >
      <Labelled
        id={id}
        label={field('itemName')}
        required
        error={pressed && !chosen ? t('kit.error.choose') : undefined}
        help={t('resourceReleased.choose.help')}
      >
        {(state) => (
          <Select
            {...state}
            id={id}
            className="whole"
            autoFocus
            labelInValue
            showSearch={{ filterOption: false, onSearch: setSearch, searchValue: search }}
            value={chosen && { value: chosen.id, label: chosen.name }}
            onChange={(next) => setChosen(next && { id: next.value, name: next.label })}
            options={(found.data?.rows ?? []).map((row) => ({ value: row.id, label: row.name }))}
            placeholder={t('kit.input.choose')}
            aria-label={field('itemName')}
            notFoundContent={t(found.isPending ? 'kit.input.loading' : 'kit.input.noHit')}
          />
        )}
      </Labelled>
    </DrawerForm>
  )
}
