import type { SavedView } from '@campanile/contract/identity'
import type { Resource } from '@campanile/contract/kit'
import { type ColumnSettings, settleColumns } from './columns.ts'
import { type Filters, type ListDefaults, readListState, writeListState } from './listState.ts'

export type ViewState = SavedView['state']

/** What a list shows, as a view keeps it. */
export const viewOf = (search: string, { order, hidden, density }: ColumnSettings): ViewState => ({
  search,
  columns: order,
  hidden,
  ...(density === undefined ? {} : { density }),
})

/** A value of a filter that is a view by itself. */
export interface ReadyView {
  name: string
  value: string | number
  /** The list's query text. */
  search: string
}

/** The views a declaration offers without anybody saving them. */
export const readyViews = (resource: Resource, defaults: ListDefaults): ReadyView[] =>
  Object.entries(resource.list.views ?? {}).flatMap(([name, values]) =>
    (values ?? []).map((value) => ({
      name,
      value,
      search: writeListState(
        { filters: { [name]: [value] }, sort: defaults.sort, page: 1, pageSize: defaults.pageSize },
        defaults,
      ),
    })),
  )

/** Its value is what the list is filtered by; other filters may narrow it. */
export const isOpen = ({ name, value }: ReadyView, filters: Filters): boolean => {
  const held = filters[name]
  return Array.isArray(held) && held.length === 1 && held[0] === value
}

/**
 * Whether a list still shows what a view holds. Both are read before they are compared: the database keeps no order of names,
 * an address may say the same in another order, and a column that is new stands in older views too.
 */
export const isSameView = (resource: Resource, defaults: ListDefaults, saved: ViewState, now: ViewState): boolean => {
  const settled = ({ search, columns, hidden, density }: ViewState) => {
    const held = columns ? settleColumns(resource, { order: columns, hidden, density }) : undefined
    const { view: _, ...state } = readListState(resource, search, defaults)
    return [writeListState({ ...state, page: 1 }, defaults), held?.order, [...(held?.hidden ?? [])].sort(), density]
  }
  const [search, ...columns] = settled(saved)
  const [searchNow, ...columnsNow] = settled(now)
  // A view without columns leaves them as they are.
  return search === searchNow && (!saved.columns || JSON.stringify(columns) === JSON.stringify(columnsNow))
}
