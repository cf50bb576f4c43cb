import { useEffect, useEffectEvent } from 'react'
import { useNavigate } from 'react-router'
import { setMaximised } from '../layout/maximised.ts'
import { openPalette } from '../palette/paletteState.ts'
import { useSettings } from '../settings/settings.ts'
import { useTabs } from '../tabs/tabStore.ts'
import { useTabActions } from '../tabs/useTabActions.ts'
import { openShortcutHelp } from './helpState.ts'
import { createKeyReader, isForTheShell, type ShortcutName } from './keys.ts'
import { stepRow, tickRow } from './rows.ts'

/** The page's own search field, else the palette. */
function focusSearch(): void {
  const field = document.querySelector<HTMLInputElement>(
    '.tab-pane[data-active=true] :is([data-search], input[type=search])',
  )
  if (field === null) openPalette()
  else field.focus()
}

/** A list reloads its rows and keeps what is selected; other pages start anew. */
function pressOwnRefresh(): boolean {
  const button = document.querySelector<HTMLButtonElement>('.tab-pane[data-active=true] [data-refresh]')
  button?.click()
  return button !== null
}

export function useShortcuts(): void {
  const navigate = useNavigate()
  const actions = useTabActions()
  const singleKeys = useSettings((settings) => settings.shortcuts)

  const run = useEffectEvent((name: ShortcutName) => {
    const { activeKey } = useTabs.getState()
    const does: Record<ShortcutName, () => unknown> = {
      help: openShortcutHelp,
      search: focusSearch,
      home: () => navigate('/home'),
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
      if (event.key === 'Escape') setMaximised(false)
      if (!singleKeys || !isForTheShell(event)) return
      const name = nameOf(event.key)
      if (name === undefined) return
      event.preventDefault()
      run(name)
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [singleKeys])
}
