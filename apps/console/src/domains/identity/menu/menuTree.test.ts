import type { MenuNode } from '@campanile/contract/identity'
import { describe, expect, it } from 'vitest'
import {
  childType,
  everyNode,
  lastOrder,
  leadsHere,
  levelOf,
  linesOf,
  moved,
  narrowed,
  possibleParents,
} from './menuTree.ts'

const entry = (menuId: number, type: MenuNode['type'], orderNum: number, list: MenuNode[] = []): MenuNode => ({
  menuId,
  parentId: null,
  name: { en: `Entry ${menuId}`, 'zh-cn': `条目${menuId}`, 'zh-tw': `項目${menuId}` },
  icon: null,
  orderNum,
  type,
  url: type === 1 ? `/screen/${menuId}` : null,
  perms: type === 2 ? `screen:${menuId}:add` : null,
  visible: true,
  builtIn: false,
  platform: false,
  list: list.map((child) => ({ ...child, parentId: menuId })),
})

// Two directories; the first holds menu 10 with a button and menu 20.
const tree = [
  entry(2, 0, 20, [entry(30, 1, 0)]),
  entry(1, 0, 10, [entry(10, 1, 5, [entry(11, 2, 0)]), entry(20, 1, 5)]),
]
const find = (id: number) => everyNode(tree).find((node) => node.menuId === id) as MenuNode

describe('the menu table', () => {
  it('shows children below their parent while it is open, in their order', () => {
    const lines = linesOf(tree, (id) => id === 1)
    expect(lines.map(({ node, depth }) => [node.menuId, depth])).toEqual([
      [1, 0],
      [10, 1],
      [20, 1],
      [2, 0],
    ])
    expect(lines.map(({ first, last }) => [first, last])).toEqual([
      [true, false],
      [true, false],
      [false, true],
      [false, true],
    ])
  })

  it('says what a directory is in the menu by how deep it stands', () => {
    const deep = entry(50, 0, 1, [entry(51, 0, 1, [entry(52, 0, 1, [entry(53, 1, 1)])])])
    expect(linesOf([deep], () => true).map(levelOf)).toEqual(['area', 'group', 'tabs', undefined])
  })

  it('finds by a name in any language, a route or a permission, and keeps the way there', () => {
    const found = (keyword: string) => everyNode(narrowed(tree, keyword)).map((node) => node.menuId)
    expect(found('項目11')).toEqual([1, 10, 11])
    expect(found('SCREEN/30')).toEqual([2, 30])
    expect(found('screen:11')).toEqual([1, 10, 11])
    expect(found('nothing')).toEqual([])
  })
})

describe('moving an entry', () => {
  it('swaps two numbers', () => {
    expect(moved(tree, find(1), 1)).toEqual([
      { id: 1, orderNum: 20 },
      { id: 2, orderNum: 10 },
    ])
  })

  it('numbers the siblings anew when equal numbers say no order', () => {
    expect(moved(tree, find(20), -1)).toEqual([
      { id: 20, orderNum: 10 },
      { id: 10, orderNum: 20 },
    ])
  })

  it('does nothing at either end', () => {
    expect(moved(tree, find(1), -1)).toEqual([])
    expect(moved(tree, find(20), 1)).toEqual([])
  })

  it('puts an entry behind its new siblings', () => {
    expect(lastOrder([])).toBe(10)
    expect(lastOrder(tree)).toBe(30)
  })

  it('never offers itself, what is below it, or an entry of the wrong kind as parent', () => {
    expect(possibleParents(tree, 0, 1)).toEqual([2])
    expect(possibleParents(tree, 1, 10)).toEqual([2, 1])
    expect(possibleParents(tree, 2, 11)).toEqual([30, 10, 20])
  })

  it('knows the way to the menu screen, which is not to be hidden', () => {
    const screen = { ...entry(41, 1, 1), perms: 'system:menu:list' }
    expect([screen, entry(40, 0, 1, [screen]), entry(42, 0, 2, [entry(43, 1, 1)])].map(leadsHere)).toEqual([
      true,
      true,
      false,
    ])
  })

  it('expects a menu below a directory and a button below a menu', () => {
    expect([childType(undefined), childType(find(1)), childType(find(10))]).toEqual([0, 1, 2])
  })
})
