import { listedNodes, type MenuNode } from './menu.ts'

/** One line of the menu. More than one page: the pages are tabs of one screen. */
export type Entry = { node: MenuNode; pages: readonly MenuNode[] }

/** Entries under a label, or without one where they stand in an area by themselves. */
export type Group = { label: MenuNode | undefined; entries: readonly Entry[] }

/** A place at the top of the menu. With a single screen it is that screen, by its name (behaviour: console.single-child). */
export type Area = {
  /** Of the directory, whatever is shown in its place. */
  key: string
  node: MenuNode
  groups: readonly Group[]
  entries: readonly Entry[]
  /** Stands at the foot of the rail, apart from the work. */
  foot: boolean
}

/** What the product calls the directory of its administration. */
const administration = 'system'

const pagesOf = (node: MenuNode): MenuNode[] => (node.directory ? node.children.flatMap(pagesOf) : [node])

/** A directory in the place of an entry is one entry, and one with a single page is that page. */
const toEntry = (node: MenuNode): Entry => {
  const pages = pagesOf(node)
  const [only] = pages
  return { node: pages.length === 1 && only !== undefined ? only : node, pages }
}

const toGroups = (children: readonly MenuNode[]): Group[] => {
  const groups: { label: MenuNode | undefined; entries: Entry[] }[] = []
  for (const child of children) {
    const entries = child.directory ? child.children.map(toEntry) : [toEntry(child)]
    const last = groups.at(-1)
    if (entries.length > 1) groups.push({ label: child, entries })
    else if (last !== undefined && last.label === undefined) last.entries.push(...entries)
    else groups.push({ label: undefined, entries })
  }
  return groups
}

const toArea = (node: MenuNode): Area => {
  const groups = node.directory ? toGroups(node.children) : [{ label: undefined, entries: [toEntry(node)] }]
  const entries = groups.flatMap((group) => group.entries)
  const alone = entries.length === 1 ? entries[0] : undefined
  return { key: node.key, node: alone?.node ?? node, groups, entries, foot: node.key === administration }
}

export const toAreas = (tree: readonly MenuNode[]): Area[] => listedNodes(tree).map(toArea)

/** Whether it is one screen, which opens at once; the others open their entries beside the rail. */
export const isScreen = (area: Area): boolean => area.entries.length === 1

export const pathOf = (entry: Entry): string => entry.pages[0]?.path ?? ''

export const firstPath = (area: Area): string => area.entries.map(pathOf).find((path) => path !== '') ?? '/home'

const holds = (entry: Entry, node: MenuNode | undefined) => entry.pages.some((page) => page.id === node?.id)

/** The entry a page belongs to, by the end of its trail. */
export const entryOf = (areas: readonly Area[], page: MenuNode | undefined): Entry | undefined =>
  areas.flatMap((area) => area.entries).find((entry) => holds(entry, page))

export const areaOf = (areas: readonly Area[], page: MenuNode | undefined): Area | undefined =>
  areas.find((area) => area.entries.some((entry) => holds(entry, page)))
