import type { RefusedReason } from '@campanile/contract/command'
import type { InputOf } from '@campanile/contract/kit'
import { previewRelease } from '@campanile/contract/release'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { calls } from '../../../kit/index.ts'

const restMs = 400
/** Devices come and go while somebody thinks. */
const againMs = 20_000

export type Order = Omit<InputOf<typeof previewRelease>, 'named'>

/** Who would be hit as things stand now, asked anew when the person has paused, and every now and then. */
export const usePreview = (order: Order | undefined) => {
  const text = JSON.stringify(order)
  const [rested, setRested] = useState(order)
  useEffect(() => {
    // Its text stands for what is asked, which is another object each time.
    const timer = setTimeout(() => setRested(text === undefined ? undefined : (JSON.parse(text) as Order)), restMs)
    return () => clearTimeout(timer)
  }, [text])
  const query = useQuery({
    queryKey: ['releasePreview', rested],
    queryFn: ({ signal }) => calls.call(previewRelease, rested as Order, { signal }),
    enabled: rested !== undefined,
    placeholderData: keepPreviousData,
    refetchInterval: againMs,
    retry: false,
  })
  const settled = JSON.stringify(rested) === text
  return {
    data: order && !query.error ? query.data : undefined,
    error: order ? query.error : null,
    busy: !settled || query.isFetching,
    refetch: query.refetch,
    /** Everybody these reasons keep out. */
    serialsOf: async (reasons: readonly RefusedReason[]): Promise<string[]> => {
      if (!rested) return []
      const { refused } = await calls.call(previewRelease, { ...rested, named: reasons.map(({ code }) => code) })
      return refused.filter(({ code }) => reasons.some((each) => each.code === code)).flatMap(({ sns }) => sns)
    },
  }
}
export type Seen = ReturnType<typeof usePreview>
export type Preview = NonNullable<Seen['data']>
