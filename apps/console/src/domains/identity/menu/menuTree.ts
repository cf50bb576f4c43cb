import { type MenuNode, menu, menuType } from '@campanile/contract/identity'

export interface MenuLine {
  node: MenuNode
  depth: number
  /** Where it stands among its siblings. */
  first: boolean
  last: boolean
}

const inOrder = (nodes: readonly MenuNode[]) =>
  [...nodes].sort((a, b) => a.orderNum - b.orderNum || a.menuId - b.menuId)

/** The rows of the table: children follow their parent while it is open. */
export const linesOf = (nodes: readonly MenuNode[], isOpen: (id: number) => boolean, depth = 0): MenuLine[] =>
  inOrder(nodes).flatMap((node, at, all) => [
    { node, depth, first: at === 0, last: at === all.length - 1 },
    ...(isOpen(node.menuId) ? linesOf(node.list, isOpen, depth + 1) : []),
  ])

/** What a directory is in the menu: at the top an area, below it a label over entries, below that one entry with tabs. */
export const levelOf = ({ node, depth }: Pick<MenuLine, 'node' | 'depth'>): 'area' | 'group' | 'tabs' | undefined =>
  node.type === menuType.directory ? ((['area', 'group'] as const)[depth] ?? 'tabs') : undefined

export const everyNode = (nodes: readonly MenuNode[]): MenuNode[] =>
  nodes.flatMap((node) => [node, ...everyNode(node.list)])

/** The menu screen itself, or what it stands under: hidden, nobody could show it again. */
export const leadsHere = (node: MenuNode): boolean => node.perms === menu.perms.list || node.list.some(leadsHere)

const matches = ({ name, url, perms }: MenuNode, keyword: string) =>
  [...Object.values(name), url ?? '', perms ?? ''].some((text) => text.toLowerCase().includes(keyword))

/** What is found with everything below it, and the way to it. */
export const narrowed = (nodes: readonly MenuNode[], keyword: string): MenuNode[] => {
  const wanted = keyword.trim().toLowerCase()
  if (wanted === '') return [...nodes]
  return nodes.flatMap((node) => {
    if (matches(node, wanted)) return [node]
    const list = narrowed(node.list, wanted)
    return list.length > 0 ? [{ ...node, list }] : []
  })
}

export const siblingsOf = (nodes: readonly MenuNode[], node: MenuNode): MenuNode[] =>
  inOrder(node.parentId === null ? nodes : (everyNode(nodes).find((each) => each.menuId === node.parentId)?.list ?? []))

// Room for entries that are put between two others later.
const step = 10

export interface Reordering {
  id: number
  orderNum: number
}

/** One place up or down. Numbers are given anew where they do not already say the order; nothing else is touched. */
export const moved = (nodes: readonly MenuNode[], node: MenuNode, by: -1 | 1): Reordering[] => {
  const siblings = siblingsOf(nodes, node)
  const from = siblings.findIndex((each) => each.menuId === node.menuId)
  const to = from + by
  const other = siblings[to]
  if (other === undefined) return []
  if (node.orderNum !== other.orderNum)
    return [
      { id: node.menuId, orderNum: other.orderNum },
      { id: other.menuId, orderNum: node.orderNum },
    ]
  const next = siblings.filter((each) => each.menuId !== node.menuId)
  next.splice(to, 0, node)
  return next
    .map((each, at) => ({ id: each.menuId, orderNum: (at + 1) * step, was: each.orderNum }))
    .filter(({ orderNum, was }) => orderNum !== was)
    .map(({ id, orderNum }) => ({ id, orderNum }))
}

/** Behind every sibling at a new parent. */
export const lastOrder = (siblings: readonly MenuNode[]): number =>
  siblings.length === 0 ? step : Math.min(9999, Math.max(...siblings.map((each) => each.orderNum)) + step)

/** A button stands below a menu, everything else below a directory or at the top. */
export const mayHold = (parent: MenuNode | undefined, type: MenuNode['type']): boolean =>
  type === menuType.button ? parent?.type === menuType.menu : parent === undefined || parent.type === menuType.directory

/** What a new entry below this one most likely is. */
export const childType = (parent: MenuNode | undefined): MenuNode['type'] =>
  parent === undefined ? menuType.directory : parent.type === menuType.directory ? menuType.menu : menuType.button

/** Where an entry may stand: never below itself. */
export const possibleParents = (nodes: readonly MenuNode[], type: MenuNode['type'], moving?: number): number[] => {
  const itself = everyNode(nodes).find((node) => node.menuId === moving)
  const forbidden = new Set(itself === undefined ? [] : everyNode([itself]).map((node) => node.menuId))
  return everyNode(nodes)
    .filter((node) => mayHold(node, type) && !forbidden.has(node.menuId))
    .map((node) => node.menuId)
}

/** An entry of the tree as the kit knows rows. */
export const toRow = ({ menuId, list: _, ...rest }: MenuNode, tree: readonly MenuNode[] = []) => ({
  id: menuId,
  ...rest,
  parentName: everyNode(tree).find((each) => each.menuId === rest.parentId)?.name,
})
