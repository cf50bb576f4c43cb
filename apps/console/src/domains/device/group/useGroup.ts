import { deviceGroup, groupDetail } from '@campanile/contract/device'
import { useQuery } from '@tanstack/react-query'
import { calls } from '../../../kit/index.ts'
import { listKey } from '../../../kit/list/useResourceList.ts'

/** One group with its filter. Under the list's own key, so that whatever changes a row reads this again. */
export const useGroup = (groupId: number, refreshEvery: number | false = false) =>
  useQuery({
    queryKey: [...listKey(deviceGroup), 'detail', groupId],
    queryFn: ({ signal }) => calls.call(groupDetail, { id: groupId }, { signal }),
    refetchInterval: refreshEvery,
  })
