import type { AnswerOf } from '@campanile/contract/kit'
import { isEnoughToFind, type searchEverything } from '@campanile/contract/search'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../api.ts'

/** Long enough that a word is one question, short enough to feel immediate. */
const typingPauseMs = 120

type Answer = AnswerOf<typeof searchEverything> & { readonly took: number; readonly wanted: string }

const ask = async (wanted: string, signal: AbortSignal): Promise<Answer> => {
  const start = performance.now()
  const answer = await api.call<AnswerOf<typeof searchEverything>>('GET', '/api/v1/search', {
    query: { wanted },
    signal,
  })
  return { ...answer, wanted, took: Math.round(performance.now() - start) }
}

/** What the server finds, while it is typed; the answer before stands until the next one is there. */
export function useFound(wanted: string) {
  const [settled, setSettled] = useState(wanted)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(wanted), typingPauseMs)
    return () => clearTimeout(timer)
  }, [wanted])
  const enabled = isEnoughToFind(settled) && isEnoughToFind(wanted)
  const query = useQuery({
    queryKey: ['search', settled],
    queryFn: ({ signal }) => ask(settled, signal),
    placeholderData: keepPreviousData,
    enabled,
    staleTime: 5_000,
    retry: false,
  })
  return {
    answer: enabled ? query.data : undefined,
    /** What is shown is not yet of what is typed. */
    waiting: enabled && (query.isFetching || settled !== wanted),
    error: enabled && !query.isFetching ? query.error : null,
    retry: query.refetch,
  }
}
