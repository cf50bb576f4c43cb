import type { DepartmentNode } from '@campanile/contract/organisation'
import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { departmentQuery } from '../../../kit/inputs/departmentNodes.ts'
import { showError } from '../../../shell/feedback.ts'
import { flatten, hitTree, type Level, type Levels, missingAncestors } from './treeRows.ts'

/** "Expand all" stops here: nobody reads more lines than this. */
const mostExpanded = 2_000
const atOnce = 6
/** The server's limits: hits of a search, ids of one question. */
const mostHits = 100
const mostIds = 200

const question = (parentId: number | undefined) => departmentQuery(parentId === undefined ? {} : { parentId })

const chunks = (ids: readonly number[]) =>
  Array.from({ length: Math.ceil(ids.length / mostIds) }, (_, at) => ids.slice(at * mostIds, (at + 1) * mostIds))

/** A word is one question, not one a letter; clearing it takes effect at once. */
const useSettled = (keyword: string): string => {
  const [settled, setSettled] = useState(keyword)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(keyword), keyword === '' ? 0 : 200)
    return () => clearTimeout(timer)
  }, [keyword])
  return settled
}

/** Levels that are open, each a question of its own; what is closed is not asked for. */
const useLevels = (expanded: ReadonlySet<number>): Levels => {
  const parents = useMemo(() => [undefined, ...expanded], [expanded])
  return useQueries({
    queries: parents.map(question),
    combine: (answers) =>
      new Map(
        parents.map((parent, at): [number | undefined, Level] => {
          const answer = answers[at]
          if (answer?.data) return [parent, { state: 'ready', nodes: answer.data }]
          return [parent, { state: answer?.isError ? 'failed' : 'loading' }]
        }),
      ),
  })
}

/** Hits and everything above them, or undefined while nothing is searched. */
const useHits = (keyword: string) => {
  const searching = keyword !== ''
  const hits = useQuery({ ...departmentQuery({ keyword }), enabled: searching })
  const above = useMemo(() => missingAncestors(hits.data ?? []), [hits.data])
  const ancestors = useQueries({
    queries: chunks(above).map((ids) => departmentQuery({ ids: [...ids] })),
    combine: (answers) => ({
      nodes: answers.flatMap((answer) => answer.data ?? []),
      pending: answers.some((answer) => answer.isPending),
    }),
  })
  const ready = searching && hits.data !== undefined && !ancestors.pending
  const tree = useMemo(
    () => (ready ? hitTree([...ancestors.nodes, ...(hits.data ?? [])]) : undefined),
    [ready, ancestors.nodes, hits.data],
  )
  return { tree, count: hits.data?.length ?? 0, isMore: hits.data?.length === mostHits, error: hits.error }
}

/** The tree as one person has opened it. Searching shows another tree and leaves this one as it was. */
export const useOrganisationTree = () => {
  const queries = useQueryClient()
  const [opened, setOpened] = useState<ReadonlySet<number>>()
  const [keyword, setKeyword] = useState('')
  const [expanding, setExpanding] = useState(false)
  const [stoppedAt, setStoppedAt] = useState<number>()
  const asked = useSettled(keyword.trim())

  const tops = useQuery(question(undefined))
  // A single top is opened by itself: a tree of one line tells nothing.
  const firstOpen = useMemo(() => new Set(tops.data?.length === 1 ? tops.data.map(({ id }) => id) : []), [tops.data])
  const expanded = opened ?? firstOpen
  const levels = useLevels(expanded)
  const hits = useHits(asked)
  const searched = asked !== '' ? hits.tree : undefined
  const shown = searched ?? { levels, expanded }
  const rows = useMemo(() => flatten(shown.levels, shown.expanded), [shown.levels, shown.expanded])

  const toggle = (id: number, open?: boolean) => {
    const next = new Set(expanded)
    if (open ?? !next.has(id)) next.add(id)
    else next.delete(id)
    setOpened(next)
  }

  const expandAll = async () => {
    setExpanding(true)
    setStoppedAt(undefined)
    const open = new Set<number>()
    let waiting = (tops.data ?? []).filter(({ childCount }) => childCount > 0)
    let lines = tops.data?.length ?? 0
    try {
      while (waiting.length > 0 && lines < mostExpanded) {
        const batch = waiting.slice(0, atOnce)
        waiting = waiting.slice(atOnce)
        const found: DepartmentNode[][] = await Promise.all(batch.map(({ id }) => queries.fetchQuery(question(id))))
        for (const { id } of batch) open.add(id)
        lines += found.flat().length
        waiting.push(...found.flat().filter(({ childCount }) => childCount > 0))
      }
      setOpened(open)
      if (waiting.length > 0) setStoppedAt(lines)
    } catch (error) {
      showError(error)
    } finally {
      setExpanding(false)
    }
  }

  return {
    rows,
    keyword,
    setKeyword,
    searching: asked !== '',
    hits,
    loading: asked === '' ? tops.isPending : hits.tree === undefined && hits.error === null,
    error: asked === '' ? tops.error : hits.error,
    retry: (parentId?: number) => queries.refetchQueries({ queryKey: question(parentId).queryKey }),
    toggle: searched ? undefined : toggle,
    /** Opens the way down to an organisation that has just been put there. */
    reveal: (ids: readonly number[]) => setOpened(new Set([...expanded, ...ids])),
    expandAll,
    expanding,
    stoppedAt,
    collapseAll: () => {
      setStoppedAt(undefined)
      setOpened(new Set())
    },
  }
}
export type OrganisationTreeState = ReturnType<typeof useOrganisationTree>
