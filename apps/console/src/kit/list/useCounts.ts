import { countedFields } from '@campanile/contract/kit'
import { useQuery } from '@tanstack/react-query'
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
