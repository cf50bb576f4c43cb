import { Menu } from 'antd'
import { useTranslation } from 'react-i18next'
import { type Area, areaOf, entryOf, firstPath, isScreen, pathOf } from '../navigation/areas.ts'
import type { MenuNode } from '../navigation/menu.ts'
import { useNavigationMenu } from '../navigation/navigation.ts'
import { titleOfNode } from '../navigation/titles.ts'
import { currentLanguage } from '../texts.ts'
import { useOpenEntry } from './MenuLink.tsx'
import { useActiveTrail } from './useActiveTrail.ts'

const stay = () => undefined

const nameOf = (node: MenuNode) => titleOfNode(node, currentLanguage())

/** An area with its entries under their labels, in Ant Design's shape. */
const toItem = (area: Area) =>
  isScreen(area)
    ? { key: firstPath(area), label: nameOf(area.node) }
    : {
        key: `area-${area.node.id}`,
        label: nameOf(area.node),
        children: area.groups.flatMap(({ label, entries }) => {
          const items = entries.map((entry) => ({ key: pathOf(entry), label: nameOf(entry.node) }))
          return label === undefined
            ? items
            : [{ type: 'group' as const, key: `label-${label.id}`, label: nameOf(label), children: items }]
        }),
      }

/** The menu in the header: whole in the top layout, only its areas in the mixed one. */
export function TopMenu({ areasOnly }: { areasOnly: boolean }) {
  const { t } = useTranslation()
  const areas = useNavigationMenu((navigation) => navigation.areas)
  const page = useActiveTrail().at(-1)
  const open = useOpenEntry(stay)
  const area = areaOf(areas, page)
  const entry = entryOf(areas, page)
  const items = areasOnly
    ? areas.map((each) => ({ key: firstPath(each), label: nameOf(each.node) }))
    : areas.map(toItem)
  const selected = areasOnly ? area && firstPath(area) : entry && pathOf(entry)
  return (
    <nav className="top-menu" aria-label={t('shell.menu.main')}>
      <Menu
        mode="horizontal"
        items={items}
        selectedKeys={selected === undefined ? [] : [selected]}
        onClick={({ key }) => open(key)}
      />
    </nav>
  )
}
