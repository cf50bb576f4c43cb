import { useSyncExternalStore } from 'react'

/** Chosen rows by id, or everything that matches the filter except what was unticked afterwards. */
export type Selection =
  | { readonly kind: 'some'; readonly ids: ReadonlySet<number> }
  | { readonly kind: 'all'; readonly except: ReadonlySet<number> }

export const nothing: Selection = { kind: 'some', ids: new Set() }
export const everything: Selection = { kind: 'all', except: new Set() }

export const isSelected = (selection: Selection, id: number): boolean =>
  selection.kind === 'all' ? !selection.except.has(id) : selection.ids.has(id)

/** Puts the rows in or takes them out; unticking one of "all" becomes an exclusion and keeps the rest. */
export const withRows = (selection: Selection, ids: readonly number[], on: boolean): Selection => {
  const held = new Set(selection.kind === 'all' ? selection.except : selection.ids)
  for (const id of ids) (selection.kind === 'all') === on ? held.delete(id) : held.add(id)
  return selection.kind === 'all' ? { kind: 'all', except: held } : { kind: 'some', ids: held }
}

/** How many rows would be touched. */
export const countSelected = (selection: Selection, total: number): number =>
  selection.kind === 'all' ? Math.max(0, total - selection.except.size) : selection.ids.size

export const pageMark = (selection: Selection, ids: readonly number[]): 'none' | 'some' | 'all' => {
  const ticked = ids.filter((id) => isSelected(selection, id)).length
  return ticked === 0 ? 'none' : ticked === ids.length ? 'all' : 'some'
}

export interface SelectionStore {
  get(): Selection
  set(next: Selection): void
  subscribe(changed: () => void): () => void
}

/** Kept outside React's state: ticking a row renders that row and the bar, not the screen and its hundred rows. */
export const createSelectionStore = (): SelectionStore => {
  let selection: Selection = nothing
  const listeners = new Set<() => void>()
  return {
    get: () => selection,
    set: (next) => {
      selection = next
      for (const listener of listeners) listener()
    },
    subscribe: (changed) => {
      listeners.add(changed)
      return () => listeners.delete(changed)
    },
  }
}

export const useSelection = (store: SelectionStore): Selection => useSyncExternalStore(store.subscribe, store.get)

export const useIsSelected = (store: SelectionStore, id: number): boolean =>
  useSyncExternalStore(store.subscribe, () => isSelected(store.get(), id))
