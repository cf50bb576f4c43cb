import { useEffect, useEffectEvent } from 'react'
import { useOpenEntry } from '../layout/MenuLink.tsx'
import { setMaximised } from '../layout/maximised.ts'
import { firstPath } from '../navigation/areas.ts'
import { useNavigationMenu } from '../navigation/navigation.ts'
import { openPalette } from '../palette/paletteState.ts'
import { changeSettings, useSettings } from '../settings/settings.ts'
import { isLayerOpen } from '../tabs/layer.ts'
import { useTabs } from '../tabs/tabStore.ts'
import { useTabActions } from '../tabs/useTabActions.ts'
import { openShortcutHelp } from './helpState.ts'
import { createKeyReader, isForTheShell, isToArea, type PlaceShortcut, type ShortcutName } from './keys.ts'
import { stepRow, tickRow } from './rows.ts'
import { focusSearch } from './search.ts'

/** The field on top of the menu; with no menu beside the page the palette finds its pages too. */
function focusFind(): void {
  const field = document.querySelector<HTMLInputElement>('[data-menu-find]')
  if (field === null) openPalette()
  else field.focus()
}

const togglePanel = () => changeSettings({ collapsed: !useSettings.getState().collapsed })

const stay = () => undefined

/** A list reloads its rows and keeps what is selected; other pages start anew. */
function pressOwnRefresh(): boolean {
  const button = document.querySelector<HTMLButtonElement>('.tab-pane[data-active=true] [data-refresh]')
  button?.click()
  return button !== null
}

export function useShortcuts(): void {
  const open = useOpenEntry(stay)
  const actions = useTabActions()
  const singleKeys = useSettings((settings) => settings.shortcuts)

  const run = useEffectEvent((name: ShortcutName) => {
    if (isToArea(name)) {
      const area = useNavigationMenu.getState().areas.find(({ key }) => key === name)
      if (area !== undefined) open(firstPath(area))
      return
    }
    const { activeKey } = useTabs.getState()
    const does: Record<PlaceShortcut, () => unknown> = {
      help: openShortcutHelp,
      search: focusSearch,
      find: focusFind,
      panel: togglePanel,
      refresh: () => pressOwnRefresh() || (activeKey && actions.refresh(activeKey)),
      previousTab: () => actions.step(-1),
      nextTab: () => actions.step(1),
      nextRow: () => stepRow(1),
      previousRow: () => stepRow(-1),
      tickRow,
    }
    does[name]()
  })

  useEffect(() => {
    const nameOf = createKeyReader(() => performance.now())
    const listen = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        return openPalette()
      }
      if (!singleKeys || !isForTheShell(event)) return
      const name = nameOf(event.key)
      if (name === undefined) return
      event.preventDefault()
      run(name)
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [singleKeys])

  useEffect(() => {
    // Asked before anybody else hears the key: afterwards a dialog may be gone that it was meant for.
    const listen = ({ key }: KeyboardEvent) => {
      if (key === 'Escape' && !isLayerOpen()) setMaximised(false)
    }
    window.addEventListener('keydown', listen, true)
    return () => window.removeEventListener('keydown', listen, true)
  }, [])
}
