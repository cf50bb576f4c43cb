import { Tooltip } from 'antd'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon, MenuIcon } from '../icons.tsx'
import type { MenuNode } from '../navigation/menu.ts'
import { titleOfNode } from '../navigation/titles.ts'
import { currentLanguage } from '../texts.ts'
import { MenuLink } from './MenuLink.tsx'

// Only a narrow menu opens beside itself, with Ant Design's; until that is there the same buttons stand without it.
const OpensBeside = lazy(async () => ({ default: (await import('./OpensBeside.tsx')).OpensBeside }))

type MenuListProps = {
  nodes: readonly MenuNode[]
  trail: readonly MenuNode[]
  /** Icons only; directories open beside. */
  narrow: boolean
  /** While searching, everything found is shown. */
  openAll: boolean
  onNavigate: () => void
}

export function MenuList({ nodes, trail, narrow, openAll, onNavigate }: MenuListProps) {
  useTranslation()
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set())

  // The branch of the page in front is open, also when it was reached from elsewhere.
  useEffect(() => {
    setOpen((now) => new Set([...now, ...trail.map((node) => node.id)]))
  }, [trail])

  const toggle = (id: number) => {
    const next = new Set(open)
    if (!next.delete(id)) next.add(id)
    setOpen(next)
  }

  const shared = { trail, narrow, openAll, onNavigate, open, toggle }
  return <Entries nodes={nodes} depth={0} {...shared} />
}

type Shared = Omit<MenuListProps, 'nodes'> & { open: ReadonlySet<number>; toggle: (id: number) => void }

function Entries({ nodes, depth, ...shared }: Shared & { nodes: readonly MenuNode[]; depth: number }) {
  return (
    <ul className="menu" data-depth={depth}>
      {nodes.map((node) => (
        <li key={node.id}>
          {node.directory ? (
            <Directory node={node} depth={depth} {...shared} />
          ) : (
            <Leaf node={node} depth={depth} {...shared} />
          )}
        </li>
      ))}
    </ul>
  )
}

function Leaf({ node, depth, trail, narrow, onNavigate }: Shared & { node: MenuNode; depth: number }) {
  const title = titleOfNode(node, currentLanguage())
  const link = (
    <MenuLink path={node.path} current={trail.at(-1)?.id === node.id} onNavigate={onNavigate}>
      {depth === 0 && <MenuIcon name={node.icon} />}
      <span className="menu-title">{title}</span>
    </MenuLink>
  )
  return narrow ? (
    <Tooltip title={title} placement="right">
      {link}
    </Tooltip>
  ) : (
    link
  )
}

function Directory({ node, depth, ...shared }: Shared & { node: MenuNode; depth: number }) {
  const title = titleOfNode(node, currentLanguage())
  const { trail, narrow, openAll, open, toggle, onNavigate } = shared
  const isOpen = openAll || open.has(node.id)
  const holdsCurrent = trail.some((each) => each.id === node.id)
  const button = (
    <button
      type="button"
      className="menu-entry"
      data-holds-current={holdsCurrent}
      aria-expanded={narrow ? undefined : isOpen}
      onClick={() => !narrow && toggle(node.id)}
    >
      {depth === 0 && <MenuIcon name={node.icon} />}
      <span className="menu-title">{title}</span>
      <span className="menu-chevron">
        <Icon name="down" size={14} />
      </span>
    </button>
  )
  if (narrow) {
    return (
      <Suspense fallback={button}>
        <OpensBeside nodes={node.children} trail={trail} onNavigate={onNavigate}>
          {button}
        </OpensBeside>
      </Suspense>
    )
  }
  return (
    <>
      {button}
      {isOpen && <Entries nodes={node.children} depth={depth + 1} {...shared} />}
    </>
  )
}
