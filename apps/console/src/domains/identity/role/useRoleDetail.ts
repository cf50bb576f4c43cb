import { grantableMenus, roleDetail } from '@campanile/contract/identity'
import { useQuery } from '@tanstack/react-query'
import { calls } from '../../../kit/calls.ts'

/** Both halves of a role, read anew each time: an edit must start from what is stored now. */
export const useRoleDetail = (id: number | undefined) =>
  useQuery({
    queryKey: ['role', 'detail', id],
    queryFn: ({ signal }) => calls.call(roleDetail, { id: id ?? 0 }, { signal }),
    enabled: id !== undefined,
    staleTime: 0,
    gcTime: 0,
  })

/** The entries of the menu tree the person may pass on. */
export const useGrantableMenus = () =>
  useQuery({
    queryKey: ['role', 'grantableMenus'],
    queryFn: async ({ signal }) => (await calls.call(grantableMenus, {}, { signal })).rows,
    staleTime: 60_000,
  })
