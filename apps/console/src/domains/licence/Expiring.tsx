import type { Resource } from '@campanile/contract/kit'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { calls, useReader } from '../../kit/index.ts'
import { listKey, type ResourceList } from '../../kit/list/useResourceList.ts'

/** How many run out within thirty days, and the way to them. Nothing while there are none. */
export function Expiring({ resource, list }: { resource: Resource; list: Pick<ResourceList, 'setFilter' | 'state'> }) {
  const { t, number } = useReader(resource)
  const wire = { state: 'expiring', page: 1, pageSize: 1 }
  const { data } = useQuery({
    queryKey: [...listKey(resource), wire],
    queryFn: ({ signal }) => calls.list(resource, wire, { signal }),
  })
  if (!data || data.total === 0) return null
  return (
    <Button className="expiring" onClick={() => list.setFilter({ state: ['expiring'] })}>
      <span aria-hidden="true">◆</span> {t('licence.expiring', { count: data.total, shown: number(data.total) })}
    </Button>
  )
}
