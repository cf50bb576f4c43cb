import type { DepartmentNode } from '@campanile/contract/organisation'
import { describe, expect, it } from 'vitest'
import { flatten, hitTree, type Level, marked, missingAncestors, type NodeRow, parentRow, step } from './treeRows.ts'

const node = (id: number, above: number[], childCount = 0): DepartmentNode => ({
  id,
  name: `n${id}`,
  type: 0,
  parentId: above.at(-1) ?? null,
  path: [...above, id].map((each) => ({ id: each, name: `n${each}` })),
  childCount,
  deviceCount: 0,
  personCount: 0,
})
const ready = (...nodes: DepartmentNode[]): Level => ({ state: 'ready', nodes })
const drawn = (rows: ReturnType<typeof flatten>) =>
  rows.map((row) => `${'  '.repeat(row.level - 1)}${row.kind === 'node' ? row.node.name : row.kind}`)

const levels = new Map<number | undefined, Level>([
  [undefined, ready(node(1, [], 2))],
  [1, ready(node(2, [1], 1), node(3, [1]))],
  [2, ready(node(4, [1, 2]))],
])

describe('the lines of a tree', () => {
  it('hold only what is open', () => {
    expect(drawn(flatten(levels, new Set([1])))).toEqual(['n1', '  n2', '  n3'])
    expect(drawn(flatten(levels, new Set([1, 2])))).toEqual(['n1', '  n2', '    n4', '  n3'])
  })

  it('say what is on its way or failed below an open organisation', () => {
    const half = new Map<number | undefined, Level>([
      [undefined, ready(node(1, [], 1), node(5, [], 1))],
      [5, { state: 'failed' }],
    ])
    expect(drawn(flatten(half, new Set([1, 5])))).toEqual(['n1', '  loading', 'n5', '  failed'])
  })

  it('know their place among their siblings', () => {
    const rows = flatten(levels, new Set([1]))
    expect(rows[2]).toMatchObject({ level: 2, position: 2, setSize: 2, expanded: undefined })
  })
})

describe('a search', () => {
  it('asks for what stands above its hits once', () => {
    expect(missingAncestors([node(4, [1, 2]), node(3, [1]), node(2, [1])])).toEqual([1])
  })

  it('shows hits below the organisations they stand under and nothing else', () => {
    const { levels: found, expanded } = hitTree([node(4, [1, 2]), node(1, [], 9), node(2, [1], 7)])
    expect(drawn(flatten(found, expanded))).toEqual(['n1', '  n2', '    n4'])
  })

  it('puts a hit whose parent is out of sight at the top', () => {
    const { levels: found, expanded } = hitTree([node(4, [1, 2])])
    expect(drawn(flatten(found, expanded))).toEqual(['n4'])
  })

  it('marks the keyword wherever it stands, whatever its case', () => {
    expect(marked('Harbour har', 'HAR')).toEqual([
      { text: 'Har', hit: true },
      { text: 'bour ', hit: false },
      { text: 'har', hit: true },
    ])
    expect(marked('Peak', '')).toEqual([{ text: 'Peak', hit: false }])
  })
})

describe('the keyboard', () => {
  const rows = flatten(levels, new Set([1, 2]))
  const key = (from: string | undefined, direction: Parameters<typeof step>[2]) => step(rows, from, direction)?.key

  it('walks line by line and stops at the ends', () => {
    expect(key('1', 'down')).toBe('2')
    expect(key('1', 'up')).toBe('1')
    expect(key('3', 'down')).toBe('3')
    expect(key('4', 'first')).toBe('1')
    expect(key('1', 'last')).toBe('3')
    expect(key('1', 'pageDown')).toBe('3')
    expect(key(undefined, 'down')).toBe('1')
  })

  it('climbs to the parent', () => {
    expect(parentRow(rows, rows[2] as NodeRow)?.key).toBe('2')
    expect(parentRow(rows, rows[3] as NodeRow)?.key).toBe('1')
    expect(parentRow(rows, rows[0] as NodeRow)).toBeUndefined()
  })
})
