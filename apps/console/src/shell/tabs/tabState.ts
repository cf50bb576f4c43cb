/** One open page. Its key is the full path, so the same screen with other parameters is another tab. */
export type Tab = {
  key: string
  /** The last query of the page: list state lives there and comes back with the tab. */
  search: string
  /** Set by pages that know a better name than their route's (a serial number). */
  title?: string | undefined
  /** The name stands behind the route's own, which is said in whatever language the console speaks. */
  behindRoute?: boolean | undefined
  pinned: boolean
  /** Its screen is mounted; otherwise only key and search remain. */
  alive: boolean
  /** Counts refreshes: a new number is a new screen. */
  generation: number
  /** Order of use, the highest last. */
  used: number
}

export type TabState = { tabs: readonly Tab[]; activeKey: string | undefined }

export const homeKey = '/home'
export const mostAlive = 20

const pinnedFirst = (tabs: readonly Tab[]) => [
  ...tabs.filter((tab) => tab.pinned),
  ...tabs.filter((tab) => !tab.pinned),
]

const freshTab = (key: string): Tab => ({ key, search: '', pinned: false, alive: false, generation: 0, used: 0 })

const homeTab: Tab = { ...freshTab(homeKey), pinned: true }

export const noTabs: TabState = { tabs: [homeTab], activeKey: undefined }

const lastUsed = (tabs: readonly Tab[]) => Math.max(0, ...tabs.map((tab) => tab.used))

const change = (state: TabState, key: string, patch: Partial<Tab>): TabState => ({
  ...state,
  tabs: state.tabs.map((tab) => (tab.key === key ? { ...tab, ...patch } : tab)),
})

/** The address is now here: open the tab if it is new, remember its query, let the longest unused one go cold. */
export function visit(state: TabState, key: string, search: string, isDirty: (key: string) => boolean): TabState {
  const known = state.tabs.some((tab) => tab.key === key)
  const tabs = known ? state.tabs : [...state.tabs, freshTab(key)]
  const used = lastUsed(tabs) + 1
  return freeze(change({ tabs, activeKey: key }, key, { search, alive: true, used }), isDirty)
}

/** A half-filled form is never dropped, even beyond the limit. */
function freeze(state: TabState, isDirty: (key: string) => boolean): TabState {
  const alive = state.tabs.filter((tab) => tab.alive)
  if (alive.length <= mostAlive) return state
  const coldest = alive
    .filter((tab) => tab.key !== state.activeKey && !isDirty(tab.key))
    .sort((a, b) => a.used - b.used)
    .slice(0, alive.length - mostAlive)
  return { ...state, tabs: state.tabs.map((tab) => (coldest.includes(tab) ? { ...tab, alive: false } : tab)) }
}

/** Closing destroys: opened again, the page starts fresh. The neighbour on the right takes over, else on the left. */
export function close(state: TabState, keys: readonly string[]): TabState {
  const tabs = state.tabs.filter((tab) => tab.key === homeKey || !keys.includes(tab.key))
  const at = state.tabs.findIndex((tab) => tab.key === state.activeKey)
  if (at < 0 || tabs.some((tab) => tab.key === state.activeKey)) return { ...state, tabs }
  const stays = (tab: Tab) => tabs.includes(tab)
  const next = state.tabs.slice(at).find(stays) ?? state.tabs.slice(0, at).findLast(stays)
  return { tabs, activeKey: next?.key ?? homeKey }
}

export type Neighbours = 'self' | 'others' | 'left' | 'right' | 'all'

/** Which tabs an entry of the tab menu closes; pinned ones only ever close themselves. */
export function keysToClose({ tabs }: TabState, key: string, which: Neighbours): string[] {
  const at = tabs.findIndex((tab) => tab.key === key)
  const chosen = tabs.filter((tab, index) => {
    if (tab.key === homeKey) return false
    if (which === 'self') return tab.key === key
    if (tab.pinned) return false
    if (which === 'all') return true
    if (which === 'others') return tab.key !== key
    return which === 'left' ? index < at : index > at
  })
  return chosen.map((tab) => tab.key)
}

export function refresh(state: TabState, key: string): TabState {
  const tab = state.tabs.find((each) => each.key === key)
  return tab === undefined ? state : change(state, key, { generation: tab.generation + 1 })
}

export function pin(state: TabState, key: string, pinned: boolean): TabState {
  const changed = change(state, key, { pinned })
  return { ...changed, tabs: pinnedFirst(changed.tabs) }
}

export const rename = (state: TabState, key: string, title: string | undefined, behindRoute = false): TabState =>
  state.tabs.some((tab) => tab.key === key && (tab.title !== title || (tab.behindRoute ?? false) !== behindRoute))
    ? change(state, key, { title, behindRoute })
    : state

/** Another organisation is operated on: what may stay starts over, what is not valid there goes. */
export function startOver(state: TabState, staysValid: (key: string) => boolean): TabState {
  const tabs = state.tabs
    .filter((tab) => tab.key === homeKey || staysValid(tab.key))
    .map((tab) => ({
      ...tab,
      search: '',
      title: undefined,
      behindRoute: false,
      alive: false,
      generation: tab.generation + 1,
    }))
  return { tabs, activeKey: tabs.some((tab) => tab.key === state.activeKey) ? state.activeKey : homeKey }
}

type SavedTab = Pick<Tab, 'key' | 'search' | 'pinned'> & { title?: string; behindRoute?: boolean }

export const save = ({ tabs }: TabState): SavedTab[] =>
  tabs.map(({ key, search, pinned, title, behindRoute }) => ({
    key,
    search,
    pinned,
    ...(title !== undefined && { title }),
    ...(behindRoute === true && { behindRoute }),
  }))

const isSaved = (value: unknown): value is SavedTab =>
  typeof value === 'object' && value !== null && 'key' in value && typeof value.key === 'string' && 'search' in value

/** After F5 every tab is back but cold; it mounts when it is looked at. */
export function restore(saved: unknown): TabState {
  const tabs = (Array.isArray(saved) ? saved.filter(isSaved) : []).map((tab) => ({ ...freshTab(tab.key), ...tab }))
  const home = tabs.find((tab) => tab.key === homeKey) ?? homeTab
  return {
    tabs: pinnedFirst([{ ...home, pinned: true }, ...tabs.filter((tab) => tab.key !== homeKey)]),
    activeKey: undefined,
  }
}
