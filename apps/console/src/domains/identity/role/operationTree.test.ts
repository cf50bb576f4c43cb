import type { MenuItem } from '@campanile/contract/identity'
import { describe, expect, it } from 'vitest'
import {
  countOf,
  grantAll,
  indexOperations,
  markOf,
  marks,
  settle,
  toggle,
  toggleView,
  withoutLoneDirectories,
} from './operationTree.ts'

const entry = (menuId: number, type: MenuItem['type'], list: MenuItem[] = []): MenuItem => ({
  menuId,
  key: null,
  parentId: null,
  name: String(menuId),
  icon: null,
  orderNum: 0,
  type,
  url: null,
  perms: null,
  list,
})

// System (1): users (10) with add (11) and edit (12), roles (20) with add (21). Devices (2): empty list page (30).
const index = indexOperations([
  entry(1, 0, [entry(10, 1, [entry(11, 2), entry(12, 2)]), entry(20, 1, [entry(21, 2)])]),
  entry(2, 0, [entry(30, 1)]),
])
const none = new Set<number>()
const sorted = (ids: Iterable<number>) => [...ids].sort((a, b) => a - b)
const mark = (id: number, granted: ReadonlySet<number>) => {
  const operation = index.byId.get(id)
  return operation && markOf(operation, granted)
}

describe('ticking operations', () => {
  it('a ticked button brings the menu and the directories that lead to it', () => {
    const granted = toggle(index, none, 11)
    expect(sorted(granted)).toEqual([1, 10, 11])
    expect(marks(index, granted)).toEqual({ checked: [11], halfChecked: [1, 10] })
  })

  it('looking alone is a leaf of its own, and taking it away takes what is reached through it', () => {
    const looking = toggleView(index, none, 10)
    expect(sorted(looking)).toEqual([1, 10])
    expect(mark(10, looking)).toBe('half')
    expect(sorted(toggleView(index, toggle(index, looking, 11), 10))).toEqual([])
  })

  it('a ticked directory brings everything below it', () => {
    const granted = toggle(index, none, 1)
    expect(sorted(granted)).toEqual([1, 10, 11, 12, 20, 21])
    expect(mark(1, granted)).toBe('full')
    expect(mark(2, granted)).toBe('none')
  })

  it('a menu stays granted when its last button is unticked, which is how a page is granted for reading only', () => {
    const reading = [11, 12].reduce((granted, id) => toggle(index, granted, id), toggle(index, none, 10))
    expect(sorted(reading)).toEqual([1, 10])
    expect(mark(10, reading)).toBe('half')
  })

  it('a half-ticked entry becomes full first and empty next', () => {
    const half = toggle(index, none, 11)
    const full = toggle(index, half, 10)
    expect(mark(10, full)).toBe('full')
    expect(sorted(toggle(index, full, 10))).toEqual([])
  })

  it('a directory goes with its last entry, but not while another is left', () => {
    const both = toggle(index, toggle(index, none, 10), 20)
    const one = toggle(index, both, 20)
    expect(sorted(one)).toEqual([1, 10, 11, 12])
    expect(sorted(toggle(index, one, 10))).toEqual([])
  })

  it('an id the tree does not hold changes nothing', () => {
    expect(sorted(toggle(index, new Set([1, 10]), 99))).toEqual([1, 10])
  })
})

describe('what a stored role brings', () => {
  it('loses entries that are gone and gains the way to those that are left', () => {
    expect(sorted(settle(index, [21, 99]))).toEqual([1, 20, 21])
  })
})

describe('counts', () => {
  it('leave directories out', () => {
    expect(countOf(index.roots, toggle(index, none, 10))).toEqual({ granted: 3, total: 6 })
    expect(countOf(index.roots, grantAll(index))).toEqual({ granted: 6, total: 6 })
  })

  it('figures of pages add up to the figure of what they stand in: looking is one of them', () => {
    const granted = toggleView(index, none, 10)
    const figure = (id: number) =>
      countOf(
        [index.byId.get(id)].flatMap((each) => each ?? []),
        granted,
      )
    expect([figure(1), figure(10), figure(20)]).toEqual([
      { granted: 1, total: 5 },
      { granted: 1, total: 3 },
      { granted: 0, total: 2 },
    ])
  })

  it('a directory with one entry stands under the name of its entry, as in the menu', () => {
    const tree = [entry(1, 0, [entry(10, 1), entry(20, 1)]), entry(2, 0, [entry(30, 1, [entry(31, 2)])])]
    const shown = withoutLoneDirectories(tree)
    expect(shown.map(({ menuId, list }) => [menuId, list.map((each) => each.menuId)])).toEqual([
      [1, [10, 20]],
      [30, [31]],
    ])
  })
})
