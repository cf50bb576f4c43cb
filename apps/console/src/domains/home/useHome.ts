import { homeNeeds, homeSummary } from '@campanile/contract/home'
import { useQuery } from '@tanstack/react-query'
import { calls } from '../../kit/index.ts'

/** The first minute of the reader's day; only the browser knows its zone. */
export const startOfToday = (): string => {
  const now = new Date()
  return new Date(now.getFullYear(), now.getMonth(), now.getDate()).toISOString()
}

const refreshMs = 60_000

export const useHome = () =>
  useQuery({
    queryKey: ['home'],
    queryFn: ({ signal }) => calls.call(homeSummary, { since: startOfToday() }, { signal }),
    refetchInterval: refreshMs,
    // Coming back to the tab shows what is so now.
    staleTime: 0,
  })

/** What waits for a person, in every room. */
export const useNeeds = () =>
  useQuery({
    queryKey: ['home', 'needs'],
    queryFn: ({ signal }) => calls.call(homeNeeds, {}, { signal }),
    refetchInterval: refreshMs,
    staleTime: 0,
  })
