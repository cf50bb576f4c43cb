import { useNavigate } from 'react-router'
import { pageHere } from '../organisations/address.ts'
import { askToLeave } from './ask.ts'
import { close, keysToClose, type Neighbours, pin, refresh, type Tab } from './tabState.ts'
import { changeTabs, useTabs } from './tabStore.ts'
import { forgetDirty, isDirty } from './unsaved.ts'
import { useTabTitle } from './useTabTitle.ts'

/** What the tab bar, its menu and the shortcuts do. */
export function useTabActions() {
  const navigate = useNavigate()
  const titleOf = useTabTitle()

  const goTo = (tab: Tab | undefined) => void (tab && navigate(tab.key + tab.search))

  const mayDrop = async (keys: readonly string[]): Promise<boolean> => {
    const { tabs } = useTabs.getState()
    const unsaved = tabs.filter((tab) => keys.includes(tab.key) && isDirty(tab.key))
    return unsaved.length === 0 || askToLeave(unsaved.map(titleOf))
  }

  const drop = async (keys: readonly string[]) => {
    if (keys.length === 0 || !(await mayDrop(keys))) return
    // The address is ahead of the page: somebody may close a page that is still coming.
    const here = pageHere()
    keys.forEach(forgetDirty)
    const after = changeTabs((state) => close({ ...state, activeKey: here }, keys))
    if (after.activeKey !== here) goTo(after.tabs.find((tab) => tab.key === after.activeKey))
  }

  return {
    goTo,
    close: (key: string, which: Neighbours = 'self') => drop(keysToClose(useTabs.getState(), key, which)),
    refresh: async (key: string) => {
      if (!(await mayDrop([key]))) return
      forgetDirty(key)
      changeTabs((state) => refresh(state, key))
    },
    pin: (key: string, pinned: boolean) => void changeTabs((state) => pin(state, key, pinned)),
    step: (by: 1 | -1) => {
      const { tabs, activeKey } = useTabs.getState()
      const at = tabs.findIndex((tab) => tab.key === activeKey)
      goTo(tabs[(at + by + tabs.length) % tabs.length])
    },
  }
}
