import { everyTitle } from '../localised.ts'
import type { MenuNode } from '../navigation/menu.ts'

const matches = (node: MenuNode, wanted: string) =>
  everyTitle(node.title).some((title) => title.toLowerCase().includes(wanted))

/** Entries whose name contains the words in any language; a matching directory keeps all it holds. */
export function filterMenu(nodes: readonly MenuNode[], words: string): MenuNode[] {
  const wanted = words.trim().toLowerCase()
  return nodes.flatMap((node) => {
    if (matches(node, wanted)) return [node]
    const children = filterMenu(node.children, wanted)
    return children.length === 0 ? [] : [{ ...node, children }]
  })
}
