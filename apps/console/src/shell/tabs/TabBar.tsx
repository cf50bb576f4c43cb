import { type MouseEvent, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { Icon } from '../icons.tsx'
import { setMaximised } from '../layout/maximised.ts'
import type { MenuContent } from '../menus/FloatingMenu.tsx'
import { MenuButton } from '../menus/MenuButton.tsx'
import { useMenu } from '../menus/useMenu.tsx'
import { homeKey, keysToClose, type Neighbours, type Tab } from './tabState.ts'
import { useTabs } from './tabStore.ts'
import { useTabActions } from './useTabActions.ts'
import { useTabTitle } from './useTabTitle.ts'

/** The open pages, as links; each has a menu by right click, Shift+F10 or the button at the end. */
export function TabBar() {
  const { t } = useTranslation()
  const state = useTabs()
  const { pathname } = useLocation()
  const menuOf = useTabMenu()
  const [menu, openMenu] = useMenu(menuOf)
  const active = state.tabs.find((tab) => tab.key === pathname)
  return (
    <nav className="tab-bar" aria-label={t('shell.tabs.open')}>
      <ul>
        {state.tabs.map((tab) => (
          <TabEntry key={tab.key} tab={tab} active={tab.key === pathname} onMenu={openMenu} />
        ))}
        {active === undefined && <Elsewhere path={pathname} />}
      </ul>
      {active !== undefined && (
        <MenuButton
          className="icon-button tab-more"
          aria-label={t('shell.tabs.menu')}
          placement="bottomRight"
          content={menuOf(active)}
        >
          <Icon name="down" size={14} />
        </MenuButton>
      )}
      {menu}
    </nav>
  )
}

/** A page that is no place to come back to, such as a wrong address: it says where one is, and goes when it is left. */
function Elsewhere({ path }: { path: string }) {
  const titleOf = useTabTitle()
  return (
    <li className="tab" data-active>
      <span className="tab-here" aria-current="page">
        {titleOf({ key: path })}
      </span>
    </li>
  )
}

interface EntryProps {
  tab: Tab
  active: boolean
  onMenu: (tab: Tab, opener: HTMLElement, pointer: MouseEvent) => void
}

function TabEntry({ tab, active, onMenu }: EntryProps) {
  const { t } = useTranslation()
  const titleOf = useTabTitle()
  const actions = useTabActions()
  const entry = useRef<HTMLLIElement>(null)
  const link = useRef<HTMLAnchorElement>(null)
  const title = titleOf(tab)
  const closable = tab.key !== homeKey && !tab.pinned

  useEffect(() => {
    if (active) entry.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [active])

  return (
    <li
      ref={entry}
      className="tab"
      data-active={active}
      onContextMenu={(event) => {
        event.preventDefault()
        if (link.current) onMenu(tab, link.current, event)
      }}
    >
      <Link
        ref={link}
        to={tab.key + tab.search}
        aria-current={active ? 'page' : undefined}
        onKeyDown={(event) => {
          if (event.key === 'Delete' && closable) void actions.close(tab.key)
        }}
        onAuxClick={(event) => {
          if (event.button !== 1 || !closable) return
          event.preventDefault()
          void actions.close(tab.key)
        }}
      >
        {tab.pinned && tab.key !== homeKey && <Icon name="pin" size={12} />}
        {title}
      </Link>
      {closable && (
        <button
          type="button"
          className="tab-close"
          aria-label={t('shell.tabs.closeNamed', { title })}
          onClick={() => actions.close(tab.key)}
        >
          <Icon name="close" size={12} />
        </button>
      )}
    </li>
  )
}

/** What can be done with a tab; entries that would close nothing are disabled. */
function useTabMenu() {
  const { t } = useTranslation()
  const state = useTabs()
  const actions = useTabActions()

  return (tab: Tab): MenuContent => {
    const closing = (which: Neighbours, label: string) => ({
      key: which,
      label,
      disabled: keysToClose(state, tab.key, which).length === 0,
    })
    const items = [
      { key: 'refresh', label: t('shell.tabs.refresh') },
      closing('self', t('shell.tabs.close')),
      { type: 'divider' as const },
      closing('others', t('shell.tabs.closeOthers')),
      closing('left', t('shell.tabs.closeLeft')),
      closing('right', t('shell.tabs.closeRight')),
      closing('all', t('shell.tabs.closeAll')),
      { type: 'divider' as const },
      { key: 'pin', label: t(tab.pinned ? 'shell.tabs.unpin' : 'shell.tabs.pin'), disabled: tab.key === homeKey },
      { key: 'fullScreen', label: t('shell.tabs.fullScreen') },
    ]
    const run: Record<string, () => unknown> = {
      refresh: () => actions.refresh(tab.key),
      pin: () => actions.pin(tab.key, !tab.pinned),
      fullScreen: () => {
        actions.goTo(tab)
        setMaximised(true)
      },
    }
    const choose = (key: string) => (run[key] ? run[key]() : actions.close(tab.key, key as Neighbours))
    return { items, choose }
  }
}
