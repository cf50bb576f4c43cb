import type { DepartmentNode } from '@campanile/contract/organisation'

/** What is known below a parent: its children, or why they are not there yet. */
export type Level = { state: 'ready'; nodes: readonly DepartmentNode[] } | { state: 'loading' } | { state: 'failed' }
/** By parent; the tops stand under `undefined`. */
export type Levels = ReadonlyMap<number | undefined, Level>

export interface NodeRow {
  kind: 'node'
  key: string
  node: DepartmentNode
  level: number
  /** Undefined: nothing below it. */
  expanded: boolean | undefined
  position: number
  setSize: number
}
/** Stands where the children of `parentId` will be. */
export interface NoteRow {
  kind: 'loading' | 'failed'
  key: string
  parentId: number
  level: number
}
export type TreeRow = NodeRow | NoteRow

/** The tree as the list of lines it is drawn as, so that only those in sight need to be drawn. */
export const flatten = (levels: Levels, expanded: ReadonlySet<number>): TreeRow[] => {
  const rows: TreeRow[] = []
  const add = (parentId: number | undefined, level: number) => {
    const found = levels.get(parentId)
    if (found?.state !== 'ready') {
      if (parentId !== undefined)
        rows.push({ kind: found?.state ?? 'loading', key: `note-${parentId}`, parentId, level })
      return
    }
    found.nodes.forEach((node, index) => {
      const open = node.childCount === 0 ? undefined : expanded.has(node.id)
      const place = { position: index + 1, setSize: found.nodes.length }
      rows.push({ kind: 'node', key: String(node.id), node, level, expanded: open, ...place })
      if (open) add(node.id, level + 1)
    })
  }
  add(undefined, 1)
  return rows
}

/** Hits with everything above them as a tree of its own: nothing else is in it, and all of it is open. */
export const hitTree = (nodes: readonly DepartmentNode[]): { levels: Levels; expanded: ReadonlySet<number> } => {
  const known = new Set(nodes.map(({ id }) => id))
  const byParent = new Map<number | undefined, DepartmentNode[]>()
  for (const node of nodes) {
    const parent = node.parentId !== null && known.has(node.parentId) ? node.parentId : undefined
    byParent.set(parent, [...(byParent.get(parent) ?? []), node])
  }
  const levels = new Map<number | undefined, Level>([[undefined, { state: 'ready', nodes: [] }]])
  for (const [parent, children] of byParent) levels.set(parent, { state: 'ready', nodes: children })
  // What has children that are not hits is shown as a leaf: there is nothing of it to open here.
  for (const [parent, level] of levels)
    if (level.state === 'ready')
      levels.set(parent, {
        state: 'ready',
        nodes: level.nodes.map((node) => ({ ...node, childCount: byParent.has(node.id) ? node.childCount : 0 })),
      })
  return { levels, expanded: new Set([...byParent.keys()].filter((id) => id !== undefined)) }
}

/** Everything above the hits that is not a hit itself. */
export const missingAncestors = (hits: readonly DepartmentNode[]): number[] => {
  const known = new Set(hits.map(({ id }) => id))
  return [...new Set(hits.flatMap(({ path }) => path.map(({ id }) => id)))].filter((id) => !known.has(id))
}

/** From the top down, without the organisation itself. */
export const stepsAbove = ({ id, path }: Pick<DepartmentNode, 'id' | 'path'>) => path.filter((step) => step.id !== id)

export type Direction = 'up' | 'down' | 'first' | 'last' | 'pageUp' | 'pageDown'
const pageRows = 10

/** Which line the keyboard leads to; lines that only say "loading" are passed over. */
export const step = (rows: readonly TreeRow[], from: string | undefined, direction: Direction): NodeRow | undefined => {
  const nodes = rows.filter((row) => row.kind === 'node')
  const at = nodes.findIndex(({ key }) => key === from)
  const to = {
    up: at - 1,
    down: at + 1,
    first: 0,
    last: nodes.length - 1,
    pageUp: at - pageRows,
    pageDown: at + pageRows,
  }[direction]
  return nodes[Math.min(Math.max(to, 0), nodes.length - 1)]
}

export const parentRow = (rows: readonly TreeRow[], row: NodeRow): NodeRow | undefined =>
  rows
    .slice(0, rows.indexOf(row))
    .findLast((each): each is NodeRow => each.kind === 'node' && each.level === row.level - 1)

/** The text split where the keyword is, so that hits can be marked. Letters match whatever their case. */
export const marked = (text: string, keyword: string): { text: string; hit: boolean }[] => {
  const wanted = keyword.trim().toLowerCase()
  if (wanted === '') return [{ text, hit: false }]
  const parts: { text: string; hit: boolean }[] = []
  const lower = text.toLowerCase()
  let from = 0
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, from)) {
    if (at > from) parts.push({ text: text.slice(from, at), hit: false })
    parts.push({ text: text.slice(at, at + wanted.length), hit: true })
    from = at + wanted.length
  }
  if (from < text.length) parts.push({ text: text.slice(from), hit: false })
  return parts
}
