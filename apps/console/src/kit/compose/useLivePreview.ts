import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

const restMs = 300
/** Devices come and go while somebody thinks. */
const againMs = 15_000

/** What would come of it as things stand now, asked anew when the person has paused, and every now and then. */
export const useLivePreview = <Input, Answer>(
  name: string,
  input: Input | undefined,
  ask: (input: Input, options: { signal: AbortSignal }) => Promise<Answer>,
) => {
  const text = JSON.stringify(input)
  const [rested, setRested] = useState(input)
  useEffect(() => {
    // Its text stands for what is asked, which is another object each time.
    const timer = setTimeout(() => setRested(text === undefined ? undefined : (JSON.parse(text) as Input)), restMs)
    return () => clearTimeout(timer)
  }, [text])
  const query = useQuery({
    queryKey: [name, rested],
    queryFn: ({ signal }) => ask(rested as Input, { signal }),
    enabled: rested !== undefined,
    placeholderData: keepPreviousData,
    refetchInterval: againMs,
    retry: false,
  })
  const settled = JSON.stringify(rested) === text
  return {
    /** What the answer is for. */
    asked: rested,
    data: input !== undefined && !query.error ? query.data : undefined,
    error: input !== undefined ? query.error : null,
    busy: !settled || query.isFetching,
    refetch: query.refetch,
  }
}
