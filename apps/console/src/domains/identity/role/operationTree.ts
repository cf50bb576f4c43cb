import type { MenuItem } from '@campanile/contract/identity'

/** What ticking sees of an entry of the menu tree. */
export interface Operation {
  id: number
  parentId: number | null
  /** A directory grants nothing by itself: it is there because something below it is. */
  directory: boolean
  children: readonly Operation[]
}

export interface OperationIndex {
  roots: readonly Operation[]
  byId: ReadonlyMap<number, Operation>
}

const directoryType = 0

/** As the menu draws it: a directory with one entry is that entry, under its name. */
export const withoutLoneDirectories = (items: readonly MenuItem[]): MenuItem[] =>
  items.map((item) => {
    const list = withoutLoneDirectories(item.list)
    const [only, second] = list
    return item.type === directoryType && only && !second ? only : { ...item, list }
  })

const toOperation = (item: MenuItem, parentId: number | null): Operation => ({
  id: item.menuId,
  parentId,
  directory: item.type === directoryType,
  children: item.list.map((child) => toOperation(child, item.menuId)),
})

const withBelow = (operation: Operation): Operation[] => [operation, ...operation.children.flatMap(withBelow)]

export const indexOperations = (items: readonly MenuItem[]): OperationIndex => {
  const roots = items.map((item) => toOperation(item, null))
  return { roots, byId: new Map(roots.flatMap(withBelow).map((operation) => [operation.id, operation])) }
}

const above = (index: OperationIndex, id: number): Operation[] => {
  const parent = index.byId.get(index.byId.get(id)?.parentId ?? 0)
  return parent === undefined ? [] : [parent, ...above(index, parent.id)]
}

export type Mark = 'none' | 'half' | 'full'

/**
 * Granted ids are closed upwards: an entry is only reachable through those above it. An entry that is granted with
 * everything below it is full; one granted without some of it is half, and still counts as granted (behaviour: roles.half).
 */
export const markOf = (operation: Operation, granted: ReadonlySet<number>): Mark => {
  if (!granted.has(operation.id)) return 'none'
  return withBelow(operation).every(({ id }) => granted.has(id)) ? 'full' : 'half'
}

export const marks = (
  index: OperationIndex,
  granted: ReadonlySet<number>,
): { checked: number[]; halfChecked: number[] } => {
  const checked: number[] = []
  const halfChecked: number[] = []
  for (const operation of index.byId.values()) {
    const mark = markOf(operation, granted)
    if (mark === 'full') checked.push(operation.id)
    if (mark === 'half') halfChecked.push(operation.id)
  }
  return { checked, halfChecked }
}

/** A full entry loses everything below it; any other gains everything below it and what is needed to reach it. */
export const toggle = (index: OperationIndex, granted: ReadonlySet<number>, id: number): Set<number> => {
  const operation = index.byId.get(id)
  if (operation === undefined) return new Set(granted)
  const next = new Set(granted)
  if (markOf(operation, granted) === 'full') return without(index, next, operation)
  for (const each of [...withBelow(operation), ...above(index, id)]) next.add(each.id)
  return next
}

const without = (index: OperationIndex, next: Set<number>, operation: Operation): Set<number> => {
  for (const each of withBelow(operation)) next.delete(each.id)
  // A menu keeps its own permission without its buttons; a directory without entries would grant nothing.
  for (const each of above(index, operation.id)) {
    if (!each.directory || each.children.some((child) => next.has(child.id))) break
    next.delete(each.id)
  }
  return next
}

/** A page that can do more than be looked at: looking at it is a leaf of its own, beside what it can do. */
export const hasView = ({ directory, children }: Operation): boolean => !directory && children.length > 0

/** Looking alone, without anything below. Without it nothing below can be reached, so that goes with it. */
export const toggleView = (index: OperationIndex, granted: ReadonlySet<number>, id: number): Set<number> => {
  const operation = index.byId.get(id)
  const next = new Set(granted)
  if (operation === undefined) return next
  if (granted.has(id)) return without(index, next, operation)
  for (const each of [operation, ...above(index, id)]) next.add(each.id)
  return next
}

export const grantAll = (index: OperationIndex): Set<number> => new Set(index.byId.keys())

/** What a stored role holds, brought to the tree of today: entries that are gone go, missing ancestors come. */
export const settle = (index: OperationIndex, ids: readonly number[]): Set<number> =>
  new Set(
    ids.filter((id) => index.byId.has(id)).flatMap((id) => [id, ...above(index, id).map((operation) => operation.id)]),
  )

/** How many operations of a branch are granted; directories are no operations. */
export const countOf = (
  operations: readonly Operation[],
  granted: ReadonlySet<number>,
): { granted: number; total: number } => {
  const counted = operations.flatMap(withBelow).filter((operation) => !operation.directory)
  return { granted: counted.filter(({ id }) => granted.has(id)).length, total: counted.length }
}
