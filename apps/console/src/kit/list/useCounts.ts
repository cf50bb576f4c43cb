import { countedFields, type Total } from '@campanile/contract/kit'
import { useQueries, useQuery } from '@tanstack/react-query'
import { calls } from '../calls.ts'
import { type Filtering, listKey } from './useResourceList.ts'

/** What was counted a moment ago still says where to look. */
const freshMs = 10_000

/** How many rows each value of a filter would leave, once one is opened. Nothing where the rows are too many to count. */
export const useCounts = (
  { resource, asked }: Filtering,
  name: string,
): Readonly<Record<string, number>> | undefined => {
  const { data } = useQuery({
    queryKey: [...listKey(resource), 'counts', asked],
    queryFn: ({ signal }) => calls.counts(resource, asked ?? {}, { signal }),
    enabled: asked !== undefined && countedFields(resource).includes(name),
    staleTime: freshMs,
  })
  const counted = data?.counts[name]
  return counted && Object.fromEntries(counted.map(({ value, count }) => [value, count]))
}

/** The same for values of a field that rows are not counted by, such as groups that are filters themselves: each is asked for. */
export const useTotals = (
  { resource, asked }: Filtering,
  name: string,
  values: readonly { readonly value: string }[],
): (Total | undefined)[] =>
  useQueries({
    queries: values.map(({ value }) => {
      const filters = { ...asked, [name]: value }
      return {
        queryKey: [...listKey(resource), 'total', filters],
        queryFn: ({ signal }: { signal: AbortSignal }) => calls.total(resource, filters, { signal }),
        enabled: asked !== undefined,
        staleTime: freshMs,
      }
    }),
  }).map(({ data }) => data)
