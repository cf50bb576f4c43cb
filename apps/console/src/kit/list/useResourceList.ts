import type { Resource, Row } from '@campanile/contract/kit'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useDeferredValue, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { queryClient } from '../../shell/queryClient.ts'
import { useHere } from '../../shell/useHere.ts'
import { calls } from '../calls.ts'
import type { AnyRow } from '../reader.ts'
import { type AheadStore, createAhead, useAhead } from './ahead.ts'
import type { FilterValue, ListState } from './listState.ts'
import { nextSort, readListState, withFilter, writeListState } from './listState.ts'
import { createSelectionStore, isSelected, nothing } from './selection.ts'
import { firstPageSize, type SizeChoice, usePageSize } from './usePageSize.ts'

export type Fixed = Readonly<Record<string, FilterValue | number | undefined>>
export interface ListOptions<R extends Resource> {
  /** Filters the screen sets for good: the parent of a drill-down. They stand in no address; undefined is not offered. */
  fixed?: Fixed
  /** Milliseconds between silent reloads; false pauses. Asked again with every answer. */
  refreshEvery?: number | false | ((rows: readonly Row<R>[]) => number | false)
}

/** More is refused before anything is sent (behaviour: api.many). */
export const bulkLimit = 10_000
const gatherSize = 199

export const listKey = (resource: Resource) => ['list', resource.name] as const

interface Answer {
  rows: readonly AnyRow[]
  total: number
}
const hasSameRows = (before: readonly AnyRow[], now: readonly AnyRow[]) =>
  before.length === now.length && before.every((row, at) => row.id === now[at]?.id)
const isSameAnswer = (before: Answer, now: Answer) => before.total === now.total && hasSameRows(before.rows, now.rows)

/**
 * A screen is drawn anew when other rows stand in its list. What changes within a row is followed by the table alone
 * (`useListRows`), or a fleet whose values change would draw filters and buttons several times a second.
 */
const useSteadyAnswer = () => {
  const held = useRef<Answer>(undefined)
  return useCallback((answer: Answer) => {
    if (!held.current || !isSameAnswer(held.current, answer)) held.current = answer
    return held.current
  }, [])
}

/** The rows of a list as they are at this moment. */
export const useListRows = (list: Pick<ResourceList, 'queryKey' | 'rows' | 'ahead'>): readonly AnyRow[] => {
  const shown = useAhead(list.ahead, 'shown')
  const { data } = useQuery<Answer>({
    queryKey: shown ?? list.queryKey,
    enabled: false,
    placeholderData: keepPreviousData,
    notifyOnChangeProps: ['data'],
  })
  const now = data?.rows ?? list.rows
  // Values wait until there is time, and are drawn in slices; other rows are what somebody is waiting for.
  const settled = useDeferredValue(now)
  return hasSameRows(settled, now) ? settled : now
}

type Wire = Readonly<Record<string, FilterValue | number>>
const question = (resource: Resource, wire: Wire) => ({
  queryKey: [...listKey(resource), wire],
  queryFn: ({ signal }: { signal: AbortSignal }) => calls.list(resource, wire, { signal }) as Promise<Answer>,
  // What was asked for a moment ago, before the list was drawn, is not asked for again.
  staleTime: 2_000,
})

/** Asks for the page of an address before its list is drawn; `useResourceList` finds the answer under the same key. */
export const askList = (resource: Resource, search: string): void => {
  const { filters, sort, page, pageSize } = readListState(resource, search, {
    sort: resource.list.sort,
    pageSize: firstPageSize(resource),
  })
  const asked = question(resource, { ...filters, sort, page, pageSize })
  // A list that has been open keeps its rows until it asks by itself.
  if (queryClient.getQueryData(asked.queryKey) === undefined) void queryClient.prefetchQuery(asked)
}

/** A list whose state is the address. Choosing pushes an entry, typing and corrections replace it: Back undoes choices. */
export const useResourceList = <R extends Resource>(
  resource: R,
  { fixed, refreshEvery = false }: ListOptions<R> = {},
) => {
  const { pathname, search, key } = useLocation()
  const navigate = useNavigate()
  const here = useHere()
  const [ahead] = useState(() => createAhead())
  const queries = useQueryClient()
  const sizes = usePageSize(resource)
  const { pageSize } = sizes
  const defaults = useMemo(() => ({ sort: resource.list.sort, pageSize }), [resource, pageSize])
  const state = useMemo(() => readListState(resource, search, defaults), [resource, search, defaults])
  const typing = useRef<string | undefined>(undefined)

  const set = Object.entries(fixed ?? {}).filter(
    (each): each is [string, FilterValue | number] => each[1] !== undefined,
  )
  const filterText = JSON.stringify({ ...state.filters, ...Object.fromEntries(set) })
  const asked = useMemo(() => JSON.parse(filterText) as Record<string, FilterValue | number>, [filterText])
  const wireOf = ({ filters, sort, page, pageSize: size }: ListState): Wire => ({
    ...filters,
    ...Object.fromEntries(set),
    sort,
    page,
    pageSize: size,
  })
  const wire = wireOf(state)
  const { queryKey, queryFn, staleTime } = question(resource, wire)
  const query = useQuery({
    queryKey,
    queryFn,
    placeholderData: keepPreviousData,
    select: useSteadyAnswer(),
    staleTime,
    refetchInterval: ({ state: { data } }) =>
      typeof refreshEvery === 'function' ? refreshEvery((data?.rows ?? []) as Row<R>[]) : refreshEvery,
  })

  const [selection] = useState(createSelectionStore)
  const selectedFor = useRef(filterText)
  const forget = useCallback(
    (text: string) => {
      if (selectedFor.current !== text && selection.get() !== nothing) selection.set(nothing)
      selectedFor.current = text
    },
    [selection],
  )
  useEffect(() => {
    // An address that has been left already says nothing about what is shown.
    if (!ahead.isUnderWay() && here.isAt(key)) forget(filterText)
  }, [filterText, forget, ahead, here, key])

  // An address takes a moment to change; what is chosen meanwhile adds to what is on its way instead of undoing it.
  const newest = useRef(state)
  useLayoutEffect(() => {
    if (ahead.isUnderWay() || !here.isAt(key)) return
    newest.current = state
    ahead.settle()
  }, [state, ahead, here, key])
  const go = (
    next: ListState,
    how: 'push' | 'replace' = 'push',
    { size = defaults.pageSize, typed = false }: { size?: number; typed?: boolean } = {},
  ) => {
    newest.current = next
    const to = { ...defaults, pageSize: size }
    const text = writeListState(next, to)
    // As the address will be read, or the question is another.
    const read = readListState(resource, text, to)
    const wanted = question(resource, wireOf(read))
    // Now, not when the page follows: what is ticked among the new rows in between stays.
    forget(JSON.stringify({ ...read.filters, ...Object.fromEntries(set) }))
    let from = ''
    void ahead.begin({
      state: next,
      queryKey: wanted.queryKey,
      answer: queries.prefetchQuery(wanted),
      arrived: () => queries.getQueryData(wanted.queryKey) !== undefined,
      how,
      typed,
      tell: (by) => {
        // Whoever has gone elsewhere meanwhile is not brought back.
        if (!here.isAt(from) || here.isLeaving()) return ahead.drop()
        void navigate({ pathname, search: text }, { replace: by === 'replace', preventScrollReset: true })
      },
    })
    from = here.key()
  }

  // The next press may lead away from the page: what was chosen here is found again when somebody comes back.
  useEffect(() => {
    window.addEventListener('pointerdown', ahead.flush, true)
    return () => window.removeEventListener('pointerdown', ahead.flush, true)
  }, [ahead])

  const total = query.data?.total ?? 0
  const lastPage = Math.max(1, Math.ceil(total / state.pageSize))
  const beyond = query.data !== undefined && !query.isPlaceholderData && state.page > lastPage
  useEffect(() => {
    if (beyond && !ahead.isUnderWay()) go({ ...state, page: lastPage }, 'replace')
  })

  const changed = (filters: Readonly<Record<string, FilterValue | undefined>>): ListState => ({
    ...newest.current,
    filters: withFilter(newest.current.filters, filters),
    page: 1,
  })

  /** Every row the selection stands for: the ticked ones wherever they are, "all matching" page by page to the limit. */
  const selectedRows = async (): Promise<Row<R>[]> => {
    const held = selection.get()
    const rows: Row<R>[] = []
    const gather = async (filters: Fixed | { ids: number[] }, page: number) => {
      const answer = await calls.list(resource, { ...filters, sort: state.sort, page, pageSize: gatherSize })
      rows.push(...(answer.rows as Row<R>[]).filter(({ id }) => isSelected(held, id)))
      return answer.rows.length
    }
    if (held.kind === 'some') {
      const ids = [...held.ids]
      for (let at = 0; at < ids.length; at += gatherSize)
        await gather({ ...fixed, ids: ids.slice(at, at + gatherSize) }, 1)
    } else for (let page = 1; rows.length <= bulkLimit; page += 1) if ((await gather(asked, page)) < gatherSize) break
    return rows
  }
  const selectedIds = async (): Promise<number[]> => {
    const held = selection.get()
    return held.kind === 'some' ? [...held.ids] : (await selectedRows()).map(({ id }) => id)
  }

  return {
    resource,
    queryKey,
    defaults,
    state,
    fixed: Object.keys(fixed ?? {}),
    /** What the screen sets for good, whatever view is opened. */
    within: Object.fromEntries(set),
    /** What the server is asked for, without paging and sort. */
    asked,
    rows: (query.data?.rows ?? []) as unknown as Row<R>[],
    total,
    /** An answer has come, so the total is one. */
    known: query.data !== undefined,
    loading: query.isPending,
    refreshing: query.isFetching && !query.isPending,
    error: query.error,
    /** Rows on screen are older than a failed reload. */
    stale: query.error !== null && query.data !== undefined,
    /** Asked for only where it is needed: it is another one with every value that changes. */
    get updatedAt() {
      return query.dataUpdatedAt
    },
    isFiltered: Object.keys(state.filters).length > 0,
    ahead,
    selection,
    selectedIds,
    selectedRows,
    reload: () => queries.invalidateQueries({ queryKey: listKey(resource) }),
    setFilter: (filters: Readonly<Record<string, FilterValue | undefined>>) => {
      typing.current = undefined
      go(changed(filters))
    },
    /** The first key pushes, the following ones replace what it pushed. */
    typeFilter: (name: string, value: string) => {
      go(changed({ [name]: value.trim() }), typing.current === name ? 'replace' : 'push', { typed: true })
      typing.current = name
    },
    endTyping: () => {
      typing.current = undefined
      ahead.flush()
    },
    clearFilters: () => go({ ...state, filters: {}, page: 1 }),
    sortBy: (column: string) => go({ ...state, sort: nextSort(state.sort, column, resource.list.sort), page: 1 }),
    setPage: (page: number) => go({ ...state, page }),
    sizes,
    setPageSize: (choice: SizeChoice) => {
      const size = sizes.choose(choice)
      // The first row in sight stays in sight.
      const first = (state.page - 1) * state.pageSize
      go({ ...state, pageSize: size, page: Math.floor(first / size) + 1 }, 'push', { size })
    },
    /** The address of the state as it is, without page and view: what a saved view keeps. */
    searchText: () => {
      const { view: _, ...rest } = state
      return writeListState({ ...rest, page: 1 }, defaults)
    },
    openView: (text: string, view: number | undefined, how: 'push' | 'replace' = 'push') => {
      const { view: _, ...rest } = readListState(resource, text, defaults)
      go(view === undefined ? rest : { ...rest, view }, how)
    },
  }
}
export type ResourceList<R extends Resource = Resource> = ReturnType<typeof useResourceList<R>>
/** What entering filters needs of a list; a filter that is kept elsewhere than in the address brings the same. */
export type Filtering = Pick<
  ResourceList,
  'resource' | 'fixed' | 'isFiltered' | 'setFilter' | 'typeFilter' | 'endTyping' | 'clearFilters'
> & {
  readonly state: Pick<ListState, 'filters'>
  /** What is chosen and not in the address yet. */
  readonly ahead?: AheadStore
  /** All that the rows are asked for by; absent where it is not known, and then nothing is counted. */
  readonly asked?: ResourceList['asked']
  /** How many rows match; absent where that is not known. */
  readonly total?: number
}
