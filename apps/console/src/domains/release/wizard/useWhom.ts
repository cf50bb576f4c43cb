import type { ReleaseTarget } from '@campanile/contract/release'
import { useMemo, useState } from 'react'
import type { NamedTarget } from '../releaseItem.tsx'

/** As it was when the page was loaded anew. */
export interface KeptWhom {
  readonly named: readonly NamedTarget[]
  readonly sns: readonly string[]
  readonly without: readonly string[]
}

const asTarget = ({ label: _, filter, ...target }: NamedTarget): ReleaseTarget => ({
  ...target,
  ...(filter && { filter: { ...filter } }),
})
/** Tells one target from another. */
export const keyOf = (meant: NamedTarget): string => JSON.stringify(asTarget(meant))

/**
 * Who is meant: groups, departments and views by their names, and devices one by one, which are held here until they are
 * sent; less those left out.
 */
export const useWhom = (given: readonly NamedTarget[], serials: readonly string[], kept?: KeptWhom) => {
  const [start] = useState({ named: given, sns: serials })
  const [named, setNamed] = useState(kept?.named ?? start.named)
  const [sns, setSns] = useState(kept?.sns ?? start.sns)
  const [without, setWithout] = useState(kept?.without ?? [])
  const target = useMemo(
    () =>
      named.length === 0 && sns.length === 0
        ? undefined
        : {
            targets: [...named.map(asTarget), ...(sns.length > 0 ? [{ sns: [...sns] }] : [])],
            ...(without.length > 0 && { without: [...without] }),
          },
    [named, sns, without],
  )
  return {
    named,
    sns,
    without,
    target,
    changed: named !== start.named || sns !== start.sns,
    /** What is there already is not added a second time. */
    add: (meant: NamedTarget) =>
      setNamed((before) => (before.some((each) => keyOf(each) === keyOf(meant)) ? before : [...before, meant])),
    remove: (meant: NamedTarget) => setNamed((before) => before.filter((each) => each !== meant)),
    addSerials: (more: readonly string[]) => setSns((before) => [...new Set([...before, ...more])]),
    removeSerials: (gone: ReadonlySet<string>) => setSns((before) => before.filter((sn) => !gone.has(sn))),
    clearSerials: () => setSns([]),
    leaveOut: (more: readonly string[]) => setWithout((before) => [...new Set([...before, ...more])]),
    takeBack: () => setWithout([]),
  }
}
export type Whom = ReturnType<typeof useWhom>
