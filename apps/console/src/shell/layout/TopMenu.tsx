import { Menu } from 'antd'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { firstPage, listedNodes } from '../navigation/menu.ts'
import { useNavigationMenu } from '../navigation/navigation.ts'
import { titleOfNode } from '../navigation/titles.ts'
import { currentLanguage } from '../texts.ts'
import { useOpenEntry } from './MenuLink.tsx'
import { menuItems } from './menuItems.ts'
import { useActiveTrail } from './useActiveTrail.ts'

const stay = () => undefined

/** The menu in the header: whole in the top layout, only its first level in the mixed one. */
export function TopMenu({ branchesOnly }: { branchesOnly: boolean }) {
  const { t } = useTranslation()
  const tree = useNavigationMenu((navigation) => navigation.tree)
  const nodes = useMemo(() => listedNodes(tree), [tree])
  const trail = useActiveTrail()
  const open = useOpenEntry(stay)
  const items = branchesOnly
    ? nodes.map((node) => ({ key: firstPage(node) ?? node.path, label: titleOfNode(node, currentLanguage()) }))
    : menuItems(nodes)
  const top = nodes.find((node) => node.id === trail[0]?.id)
  const selected = branchesOnly ? [top && firstPage(top)] : trail.map((node) => node.path)
  return (
    <nav className="top-menu" aria-label={t('shell.menu.main')}>
      <Menu
        mode="horizontal"
        items={items}
        selectedKeys={selected.filter((key) => key !== undefined)}
        onClick={({ key }) => open(key)}
      />
    </nav>
  )
}
