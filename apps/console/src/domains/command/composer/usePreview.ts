import { previewTask, type Target } from '@campanile/contract/command'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { calls } from '../../../kit/index.ts'
import { type Preview, refusedSerials } from '../order/useOrder.ts'
import type { Draft } from './draft.ts'
import type { TimingInput } from './timing.ts'

const restMs = 300
/** Devices come and go while somebody thinks. */
const againMs = 15_000

interface PreviewInput {
  readonly target: (Target & { without?: string[] }) | undefined
  readonly draft: Draft
  readonly when: { readonly input: TimingInput }
}

/** Whom it would reach as things stand now, asked anew when the person has paused, and every now and then. */
export const usePreview = ({ target, draft: { command, args }, when }: PreviewInput) => {
  const { waitMinutes: _, ...time } = when.input
  const input = target && command && args ? { command, args, ...target, ...time } : undefined
  const text = JSON.stringify(input)
  const [rested, setRested] = useState(input)
  useEffect(() => {
    // Its text stands for what is asked, which is another object each time.
    const timer = setTimeout(() => setRested(text === undefined ? undefined : JSON.parse(text)), restMs)
    return () => clearTimeout(timer)
  }, [text])
  const query = useQuery({
    queryKey: ['preview', rested],
    queryFn: ({ signal }) => calls.call(previewTask, rested as NonNullable<typeof rested>, { signal }),
    enabled: rested !== undefined,
    placeholderData: keepPreviousData,
    refetchInterval: againMs,
    retry: false,
  })
  const settled = JSON.stringify(rested) === text
  return {
    data: input && !query.error ? query.data : undefined,
    error: input ? query.error : null,
    busy: !settled || query.isFetching,
    refetch: query.refetch,
    /** Everybody these reasons keep out. */
    serialsOf: async (reasons: Preview['refused']) => (rested ? refusedSerials(rested, reasons) : []),
  }
}
export type Seen = ReturnType<typeof usePreview>
