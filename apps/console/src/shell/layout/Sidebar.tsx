import { Tooltip } from 'antd'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../icons.tsx'
import { listedNodes, type MenuNode } from '../navigation/menu.ts'
import { useNavigationMenu } from '../navigation/navigation.ts'
import { changeSettings, useSettings } from '../settings/settings.ts'
import { Brand } from '../signIn/Brand.tsx'
import { filterMenu } from './filterMenu.ts'
import { MenuList } from './MenuList.tsx'
import { useActiveTrail } from './useActiveTrail.ts'

type SidebarProps = { drawerOpen: boolean; onClose: () => void }

/** The menu at the left; a drawer on small screens. In the mixed layout it holds the branch chosen above. */
export function Sidebar({ drawerOpen, onClose }: SidebarProps) {
  const { t } = useTranslation()
  const { layout, collapsed } = useSettings()
  const tree = useNavigationMenu((navigation) => navigation.tree)
  const trail = useActiveTrail()
  const [wanted, setWanted] = useState('')
  const listed = useMemo(() => listedNodes(tree), [tree])
  const branch = layout === 'mix' ? branchOf(listed, trail[0]) : listed
  const nodes = wanted.trim() === '' ? branch : filterMenu(listed, wanted)

  const menu = useRef<HTMLElement>(null)
  useEffect(() => {
    if (drawerOpen) menu.current?.querySelector<HTMLElement>('a, button')?.focus()
  }, [drawerOpen])

  return (
    <>
      <button type="button" className="shade" aria-label={t('shell.menu.close')} tabIndex={-1} onClick={onClose} />
      <aside className="sidebar" onKeyDown={(event) => event.key === 'Escape' && onClose()}>
        <div className="sidebar-brand">
          <Brand />
        </div>
        <nav className="sidebar-menu" ref={menu} aria-label={t('shell.menu.main')}>
          <MenuList
            nodes={nodes}
            trail={trail}
            narrow={collapsed && layout !== 'top'}
            openAll={wanted !== ''}
            onNavigate={onClose}
          />
          {tree.length === 1 && <p className="sidebar-empty">{t('shell.emptyMenu.text')}</p>}
          {nodes.length === 0 && <p className="sidebar-empty">{t('shell.menu.noMatch')}</p>}
        </nav>
        <div className="sidebar-foot">
          <input
            type="search"
            className="sidebar-search"
            placeholder={t('shell.menu.search')}
            aria-label={t('shell.menu.search')}
            value={wanted}
            onChange={(event) => setWanted(event.target.value)}
          />
          <Tooltip title={t(collapsed ? 'shell.menu.expand' : 'shell.menu.collapse')} placement="right">
            <button
              type="button"
              className="icon-button sidebar-collapse"
              aria-label={t(collapsed ? 'shell.menu.expand' : 'shell.menu.collapse')}
              aria-pressed={collapsed}
              onClick={() => changeSettings({ collapsed: !collapsed })}
            >
              <Icon name="collapse" />
            </button>
          </Tooltip>
        </div>
      </aside>
    </>
  )
}

/** The entries below the chosen top entry; a top entry that is a page itself stands alone. */
function branchOf(listed: readonly MenuNode[], top: MenuNode | undefined): readonly MenuNode[] {
  const chosen = listed.find((node) => node.id === top?.id)
  if (chosen === undefined) return listed.filter((node) => !node.directory)
  return chosen.directory ? chosen.children : [chosen]
}
