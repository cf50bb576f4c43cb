import { filterShape, pageSizeLimit, type Resource, sortable, spanOf } from '@campanile/contract/kit'
import { isBlank } from '../values.ts'

/** What one filter holds, as the contract reads it: text, yes or no, or any of several values. */
export type FilterValue = string | boolean | readonly (string | number)[]
export type Filters = Readonly<Record<string, FilterValue>>

export interface ListState {
  filters: Filters
  sort: string
  page: number
  pageSize: number
  /** The saved view the state came from. */
  view?: number
}

/** What a list shows when its address says nothing. */
export interface ListDefaults {
  sort: string
  pageSize: number
}

const positive = (text: string | null, limit: number): number | undefined => {
  if (text === null || !/^\d{1,9}$/.test(text)) return undefined
  const value = Number(text)
  return value >= 1 && value <= limit ? value : undefined
}

/** Each kind of field owns its codec: the contract's filter schema reads the address as the server reads the query. */
const readFilters = (resource: Resource, params: URLSearchParams): Filters => {
  const filters: Record<string, FilterValue> = {}
  for (const [name, schema] of Object.entries(filterShape(resource))) {
    const raw = params.getAll(name)
    if (raw.length === 0) continue
    const read = schema.safeParse(raw.length === 1 ? raw[0] : raw)
    if (read.success && !isBlank(read.data)) filters[name] = read.data as FilterValue
  }
  return filters
}

export const readListState = (resource: Resource, search: string, defaults: ListDefaults): ListState => {
  const params = new URLSearchParams(search)
  const sort = params.get('sort')
  const view = positive(params.get('view'), Number.MAX_SAFE_INTEGER)
  return {
    filters: readFilters(resource, params),
    sort: sort !== null && sortable(resource).includes(sort.replace(/^-/, '')) ? sort : defaults.sort,
    page: positive(params.get('page'), 100_000_000) ?? 1,
    pageSize: positive(params.get('pageSize'), pageSizeLimit) ?? defaults.pageSize,
    ...(view === undefined ? {} : { view }),
  }
}

/** What equals the default is left out. A page beyond the first names its size, so that a shared address shows the same rows. */
export const writeListState = (state: ListState, defaults: ListDefaults): string => {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(state.filters))
    for (const each of Array.isArray(value) ? value : [value]) params.append(name, String(each))
  if (state.sort !== defaults.sort) params.set('sort', state.sort)
  if (state.page > 1) params.set('page', String(state.page))
  if (state.page > 1 || state.pageSize !== defaults.pageSize) params.set('pageSize', String(state.pageSize))
  if (state.view !== undefined) params.set('view', String(state.view))
  const text = params.toString()
  return text === '' ? '' : `?${text}`
}

/** As a query would carry them: the contract reads text, also where a filter travels in a body. */
export const filterTexts = (
  filters: Readonly<Record<string, FilterValue | number>>,
): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(filters).map(([name, value]) => [name, Array.isArray(value) ? value.map(String) : String(value)]),
  )

/** Undefined and blank take the filter away. */
export const withFilter = (filters: Filters, change: Readonly<Record<string, FilterValue | undefined>>): Filters =>
  Object.fromEntries(
    Object.entries({ ...filters, ...change }).filter((entry): entry is [string, FilterValue] => !isBlank(entry[1])),
  )

/** Ascending, descending, then the list's own order again. */
export const nextSort = (current: string, column: string, own: string): string =>
  current === column ? `-${column}` : current === `-${column}` && own !== `-${column}` ? own : column

/** The names a filter has in the query: times and figures are asked for as a span, figures also as they are. */
export const filterKeys = (resource: Resource, name: string): readonly string[] => [
  name,
  ...(spanOf(resource, name) ?? []),
]
