import { deviceHistory, type protocol } from '@campanile/contract/device'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { calls } from '../../../kit/index.ts'

export const ranges = {
  hour: 3_600_000,
  day: 86_400_000,
  week: 7 * 86_400_000,
  month: 30 * 86_400_000,
  year: 365 * 86_400_000,
}
export type Range = keyof typeof ranges

/** Drawn anew about every hundredth of what is shown. */
export const everyMs = (range: Range) => Math.max(15_000, ranges[range] / 200)

export const useHistory = (sn: string, names: readonly protocol.TelemetryName[], range: Range) =>
  useQuery({
    queryKey: ['deviceHistory', sn, names, range],
    queryFn: async ({ signal }) => {
      const to = Date.now()
      const from = to - ranges[range]
      const times = { startTime: new Date(from).toISOString(), endTime: new Date(to).toISOString() }
      const answer = await calls.call(deviceHistory, { sn, names: [...names], ...times }, { signal })
      return { ...answer, from, to }
    },
    enabled: names.length > 0,
    refetchInterval: everyMs(range),
    placeholderData: keepPreviousData,
  })
