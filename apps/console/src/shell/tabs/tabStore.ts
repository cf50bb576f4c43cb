import { create } from 'zustand'
import { currentSession } from '../session/session.ts'
import { readStored, writeStored } from '../storage.ts'
import { owner } from './owner.ts'
import { homeKey, noTabs, restore, save, type TabState } from './tabState.ts'
import { restoreUnsaved } from './unsaved.ts'

const name = 'session.tabs'

export const useTabs = create<TabState>(() => noTabs)

/** What is no longer permitted does not come back. */
export function restoreTabs(isValid: (key: string) => boolean): void {
  const stored = readStored('tab', name)
  const mine = typeof stored === 'object' && stored !== null && 'owner' in stored && stored.owner === owner()
  const state = restore(mine && 'tabs' in stored ? stored.tabs : undefined)
  useTabs.setState({ ...state, tabs: state.tabs.filter((tab) => tab.key === homeKey || isValid(tab.key)) })
  restoreUnsaved(isValid)
}

export function changeTabs(next: (state: TabState) => TabState): TabState {
  const before = useTabs.getState()
  const after = next(before)
  if (after === before) return before
  useTabs.setState(after)
  if (currentSession() !== undefined) writeStored('tab', name, { owner: owner(), tabs: save(after) })
  return after
}
