import type { Resource } from '@campanile/contract/kit'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { calls } from '../calls.ts'

export const optionsKey = (resource: Resource, name: string) => [resource.name, 'options', name]

/** The names of rows that were chosen earlier. */
export const useRefNames = (resource: Resource, name: string, ids: readonly number[]): ReadonlyMap<number, string> => {
  const { data } = useQuery({
    queryKey: [...optionsKey(resource, name), 'names', ids],
    queryFn: () => calls.options(resource, name, { ids: [...ids], pageSize: Math.min(199, ids.length) }),
    enabled: ids.length > 0,
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  })
  return new Map(data?.rows.map((row) => [row.id, row.name]))
}
