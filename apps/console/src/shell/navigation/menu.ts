import type { MenuItem, navigation } from '@campanile/contract/identity'
import type { AnswerOf, Module } from '@campanile/contract/kit'

export type Unused = AnswerOf<typeof navigation>['unused']

/** One entry of the menu as it is shown. A directory has children and leads to the first of them. */
export type MenuNode = {
  id: number
  /** Which entry of the product it is; empty for those people added. */
  key: string
  /** As the server sent it; empty when `titleKey` names a text of ours. */
  title: string
  titleKey?: string
  icon: string
  /** Empty for a directory without a url. */
  path: string
  perms: string
  directory: boolean
  children: MenuNode[]
}

/** A path the menu opens: itself, or for a directory the first page below it. */
export type MenuRoute = {
  path: string
  node: MenuNode
  /** From the top of the menu down to the entry itself. */
  trail: MenuNode[]
  /** Has a `:parameter`, so it is reachable but not listed. */
  dynamic: boolean
  redirect: string | undefined
  /** The module it belongs to, where the organisation does not use it: it opens, but nothing leads to it. */
  unused?: Module
}

const buttonType = 2

const toPath = (url: string | null): string => {
  const trimmed = (url ?? '').trim()
  return trimmed === '' ? '' : `/${trimmed.replace(/^\/+/, '').replace(/\/+$/, '')}`
}

const isDynamic = (path: string) => path.includes('/:')

/** Sorted, without buttons, without directories that nothing permitted is left in. */
export function toMenuTree(items: readonly MenuItem[]): MenuNode[] {
  return [...items]
    .filter((item) => item.type !== buttonType)
    .sort((a, b) => a.orderNum - b.orderNum)
    .map((item) => ({ item, node: toNode(item) }))
    .filter(({ item, node }) => (item.type === 0 ? node.children.length > 0 : node.path !== ''))
    .map(({ node }) => node)
}

const toNode = (item: MenuItem): MenuNode => ({
  id: item.menuId,
  key: item.key ?? '',
  title: item.name,
  icon: item.icon ?? '',
  path: toPath(item.url),
  perms: item.perms ?? '',
  directory: item.type === 0,
  children: toMenuTree(item.list ?? []),
})

/** The home route is always there, whatever the server lists (behaviour: console.home-always). */
export const withHome = (tree: MenuNode[]): MenuNode[] =>
  tree.some((node) => node.path === '/home') ? tree : [homeNode, ...tree]

const homeNode: MenuNode = {
  id: 0,
  key: 'home',
  title: '',
  titleKey: 'shell.home',
  icon: 'home',
  path: '/home',
  perms: '',
  directory: false,
  children: [],
}

/** What the sidebar lists: pages without parameters, and the directories that hold some. */
export function listedNodes(tree: readonly MenuNode[]): MenuNode[] {
  return tree
    .map((node) => ({ ...node, children: node.directory ? listedNodes(node.children) : [] }))
    .filter((node) => (node.directory ? node.children.length > 0 : !isDynamic(node.path)))
}

/** The first page below a directory, in the order shown. */
export function firstPage(node: MenuNode): string | undefined {
  if (!node.directory) return isDynamic(node.path) ? undefined : node.path
  for (const child of node.children) {
    const page = firstPage(child)
    if (page !== undefined) return page
  }
  return undefined
}

export function toMenuRoutes(tree: readonly MenuNode[], above: readonly MenuNode[] = []): MenuRoute[] {
  return tree.flatMap((node) => {
    const trail = [...above, node]
    const below = toMenuRoutes(node.children, trail)
    const redirect = node.directory ? firstPage(node) : undefined
    // A directory may carry the url of its own first page; the page wins, or the redirect would never arrive.
    if (node.path === '' || redirect === node.path) return below
    return [{ path: node.path, node, trail, dynamic: isDynamic(node.path), redirect }, ...below]
  })
}

/** Pages the menu leaves out because their module is not used. */
export const toUnusedRoutes = (unused: Unused): MenuRoute[] =>
  unused.flatMap(({ module, pages }) => toMenuRoutes(toMenuTree(pages)).map((route) => ({ ...route, unused: module })))
