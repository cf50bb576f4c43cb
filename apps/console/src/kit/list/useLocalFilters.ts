import type { Resource } from '@campanile/contract/kit'
import { useState } from 'react'
import { type Filters, type FilterValue, withFilter } from './listState.ts'
import type { Filtering } from './useResourceList.ts'

/** Filters of a form or a dialog: entered as in a list, kept here instead of in the address. */
export const useLocalFilters = (resource: Resource, initial: Filters, fixed: string[]): Filtering => {
  const [filters, setFilters] = useState(initial)
  const setFilter = (change: Readonly<Record<string, FilterValue | undefined>>) =>
    setFilters((before) => withFilter(before, change))
  return {
    resource,
    state: { filters },
    fixed,
    isFiltered: Object.keys(filters).length > 0,
    setFilter,
    typeFilter: (name, value) => setFilter({ [name]: value.trim() }),
    endTyping: () => undefined,
    clearFilters: () => setFilters({}),
  }
}
