import { type DepartmentNode, departments } from '@campanile/contract/organisation'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { calls } from '../../../kit/calls.ts'
import { type KnownDepartments, learn, nothingKnown } from './departmentGrants.ts'

const idsPerCall = 200

const loadNodes = async (ids: readonly number[]): Promise<DepartmentNode[]> => {
  const nodes: DepartmentNode[] = []
  for (let at = 0; at < ids.length; at += idsPerCall)
    nodes.push(...(await calls.call(departments, { ids: ids.slice(at, at + idsPerCall) })).rows)
  return nodes
}

/** The department tree as far as it has been opened, beginning with its tops and where the granted ones stand. */
export function useDepartmentBranches(granted: readonly number[]) {
  const [known, setKnown] = useState<KnownDepartments>(nothingKnown)
  // Where the grants stood when the tree was opened; ticking later needs no more loading.
  const [initially] = useState(granted)
  const start = useQuery({
    queryKey: ['role', 'departmentTops', initially],
    queryFn: async () => {
      const [tops, held] = await Promise.all([calls.call(departments, {}), loadNodes(initially)])
      return { tops: tops.rows, held }
    },
    staleTime: 0,
    gcTime: 0,
  })
  const begun = start.data === undefined ? nothingKnown : learn(learn(nothingKnown, start.data.held), start.data.tops)
  const all: KnownDepartments = { byId: new Map([...begun.byId, ...known.byId]), opened: known.opened }

  const open = async (parentId: number): Promise<KnownDepartments> => {
    const { rows } = await calls.call(departments, { parentId })
    setKnown((before) => learn(before, rows, parentId))
    return learn(all, rows, parentId)
  }
  return {
    tops: start.data?.tops,
    error: start.error,
    retry: () => void start.refetch(),
    known: all,
    open,
    /** Found elsewhere, by search: what they say about themselves is worth keeping. */
    meet: (nodes: readonly DepartmentNode[]) => setKnown((before) => learn(before, nodes)),
  }
}
