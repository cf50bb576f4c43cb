import { Dropdown } from 'antd'
import type { ReactNode } from 'react'
import type { MenuNode } from '../navigation/menu.ts'
import { useOpenEntry } from './MenuLink.tsx'
import { menuItems } from './menuItems.ts'

interface Props {
  nodes: readonly MenuNode[]
  trail: readonly MenuNode[]
  onNavigate: () => void
  children: ReactNode
}

/** The entries of a directory beside its icon, for a menu of icons only. */
export function OpensBeside({ nodes, trail, onNavigate, children }: Props) {
  const openEntry = useOpenEntry(onNavigate)
  return (
    <Dropdown
      placement="topRight"
      align={{ points: ['tl', 'tr'], offset: [8, 0] }}
      trigger={['hover', 'click']}
      menu={{
        items: menuItems(nodes),
        selectedKeys: trail.map((each) => each.path),
        onClick: ({ key }) => openEntry(key),
      }}
    >
      {children}
    </Dropdown>
  )
}
