import { firstPage, type MenuNode } from '../navigation/menu.ts'
import { titleOfNode } from '../navigation/titles.ts'
import { currentLanguage } from '../texts.ts'

type Item = { key: string; label: string; children?: Item[] }

/** Entries in Ant Design's shape, for the menus that open beside or below. */
export const menuItems = (nodes: readonly MenuNode[]): Item[] =>
  nodes.map((node) => ({
    key: node.directory ? `directory-${node.id}` : (firstPage(node) ?? node.path),
    label: titleOfNode(node, currentLanguage()),
    ...(node.directory && { children: menuItems(node.children) }),
  }))
