import { assignableRoles } from '@campanile/contract/identity'
import { useQuery } from '@tanstack/react-query'
import { calls } from '../../../kit/calls.ts'

/** Roles the person may give away. */
export const useAssignableRoles = () =>
  useQuery({
    queryKey: ['assignableRoles'],
    queryFn: async () => (await calls.call(assignableRoles, {})).rows,
    staleTime: 60_000,
  }).data ?? []
