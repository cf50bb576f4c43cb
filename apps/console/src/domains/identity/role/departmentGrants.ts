import type { DepartmentNode } from '@campanile/contract/organisation'
import type { Mark } from './operationTree.ts'

/** Everything known about departments so far. The tree is loaded branch by branch and may never be known whole. */
export interface KnownDepartments {
  byId: ReadonlyMap<number, DepartmentNode>
  /** Parents whose children have all been loaded. */
  opened: ReadonlySet<number>
}

export const nothingKnown: KnownDepartments = { byId: new Map(), opened: new Set() }

export const learn = (
  known: KnownDepartments,
  nodes: readonly DepartmentNode[],
  openedParent?: number,
): KnownDepartments => ({
  byId: new Map([...known.byId, ...nodes.map((node) => [node.id, node] as const)]),
  opened: openedParent === undefined ? known.opened : new Set([...known.opened, openedParent]),
})

export const childrenOf = (known: KnownDepartments, parentId: number): DepartmentNode[] =>
  [...known.byId.values()].filter((node) => node.parentId === parentId)

/** From the top down to the department's parent; each node brings its path along, so nothing has to be loaded. */
const aboveOf = (node: DepartmentNode): number[] => node.path.map((step) => step.id).filter((id) => id !== node.id)

const isBelow = (known: KnownDepartments, id: number, ancestor: number): boolean => {
  const node = known.byId.get(id)
  return node !== undefined && aboveOf(node).includes(ancestor)
}

/** The granted department that covers this one: itself or one above it. */
export const coveredBy = (node: DepartmentNode, granted: ReadonlySet<number>): number | undefined =>
  [...aboveOf(node), node.id].find((id) => granted.has(id))

/** A granted department covers everything below it, also what is added later (behaviour: roles.subtree). */
export const markOf = (known: KnownDepartments, node: DepartmentNode, granted: ReadonlySet<number>): Mark => {
  if (coveredBy(node, granted) !== undefined) return 'full'
  return [...granted].some((id) => isBelow(known, id, node.id)) ? 'half' : 'none'
}

/** Parents whose children must be loaded before this department can be taken out of a granted one above it. */
export const missingToRemove = (
  known: KnownDepartments,
  node: DepartmentNode,
  granted: ReadonlySet<number>,
): number[] => {
  const covering = coveredBy(node, granted)
  if (covering === undefined || covering === node.id) return []
  const above = aboveOf(node)
  return above.slice(above.indexOf(covering)).filter((id) => !known.opened.has(id))
}

/**
 * Ticking covers the branch and drops what was granted below it. Unticking a department inside a granted branch
 * leaves the rest of that branch: every sibling on the way down is granted by itself.
 */
export const toggle = (known: KnownDepartments, node: DepartmentNode, granted: ReadonlySet<number>): Set<number> => {
  const covering = coveredBy(node, granted)
  const next = new Set(granted)
  if (covering === undefined) {
    for (const id of granted) if (isBelow(known, id, node.id)) next.delete(id)
    return next.add(node.id)
  }
  next.delete(covering)
  if (covering === node.id) return next
  const above = aboveOf(node)
  const way = [...above.slice(above.indexOf(covering) + 1), node.id]
  for (const parent of above.slice(above.indexOf(covering)))
    for (const child of childrenOf(known, parent)) if (!way.includes(child.id)) next.add(child.id)
  return next
}
