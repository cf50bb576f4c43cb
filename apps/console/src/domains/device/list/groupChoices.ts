import { deviceGroup } from '@campanile/contract/device'
import { useQuery } from '@tanstack/react-query'
import { calls, usePermitted } from '../../../kit/index.ts'
import { listKey } from '../../../kit/list/useResourceList.ts'

const most = 199

/** Groups by name, for the filter; none for somebody who may not see groups. */
export const useGroupChoices = () => {
  const permitted = usePermitted(deviceGroup.perms.list)
  const { data } = useQuery({
    queryKey: [...listKey(deviceGroup), 'choices'],
    queryFn: ({ signal }) => calls.list(deviceGroup, { page: 1, pageSize: most, sort: 'name' }, { signal }),
    enabled: permitted,
    staleTime: 60_000,
  })
  return (data?.rows ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
}
