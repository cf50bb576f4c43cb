import { lookAtTargets, type OneTarget } from '@campanile/contract/command'
import type { AnswerOf } from '@campanile/contract/kit'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { calls } from '../../../kit/index.ts'
import type { NamedTarget } from '../tellDevices.tsx'

export type Facts = AnswerOf<typeof lookAtTargets>

const asTarget = ({ label: _label, ...target }: NamedTarget): OneTarget => target

/** Tells one target from another. */
export const keyOf = (meant: NamedTarget): string => JSON.stringify(asTarget(meant))

/** As they were when the page was loaded anew. */
export interface KeptTargets {
  readonly chosen: readonly NamedTarget[]
  readonly without: readonly string[]
}

/** Who is meant, in as many ways as were chosen, less those left out; and what holds of them. */
export const useTargets = (given: readonly NamedTarget[], kept?: KeptTargets) => {
  const [start] = useState(given)
  const [chosen, setChosen] = useState(kept?.chosen ?? start)
  const [without, setWithout] = useState(kept?.without ?? [])
  const target = useMemo(
    () =>
      chosen.length === 0
        ? undefined
        : { targets: chosen.map(asTarget), ...(without.length > 0 && { without: [...without] }) },
    [chosen, without],
  )
  const { data, error } = useQuery({
    queryKey: ['targets', target],
    queryFn: ({ signal }) => calls.call(lookAtTargets, target ?? {}, { signal }),
    enabled: target !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
  })
  return {
    chosen,
    target,
    without,
    changed: chosen !== start,
    /** Undefined where nobody is meant, or devices are not for this person's eyes. */
    facts: target && !error ? data : undefined,
    error: target ? error : null,
    /** What is there already is not added a second time. */
    add: (more: readonly NamedTarget[]) =>
      setChosen((before) => [...new Map([...before, ...more].map((each) => [keyOf(each), each])).values()]),
    remove: (at: number) => setChosen((before) => before.filter((_, each) => each !== at)),
    leaveOut: (sns: readonly string[]) => setWithout((before) => [...new Set([...before, ...sns])]),
    takeBack: () => setWithout([]),
  }
}
export type UsedTargets = ReturnType<typeof useTargets>
