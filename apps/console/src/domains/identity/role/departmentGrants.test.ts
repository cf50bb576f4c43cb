import type { DepartmentNode } from '@campanile/contract/organisation'
import { describe, expect, it } from 'vitest'
import { learn, markOf, missingToRemove, nothingKnown, toggle } from './departmentGrants.ts'

// Group (1) holds two enterprises: Harbour (2) with shops 4 and 5, Peak (3) with shop 6. Shop 4 has a counter (7).
const parents: Record<number, number | null> = { 1: null, 2: 1, 3: 1, 4: 2, 5: 2, 6: 3, 7: 4 }
const pathTo = (id: number): number[] => {
  const parent = parents[id] ?? null
  return parent === null ? [id] : [...pathTo(parent), id]
}
const node = (id: number): DepartmentNode => ({
  id,
  name: String(id),
  type: 0,
  parentId: parents[id] ?? null,
  path: pathTo(id).map((step) => ({ id: step, name: String(step) })),
  childCount: 0,
  deviceCount: 0,
  personCount: 0,
})
const ids = Object.keys(parents).map(Number)
const known = [1, 2, 3, 4].reduce((so, parent) => learn(so, [], parent), learn(nothingKnown, ids.map(node)))
const sorted = (granted: Iterable<number>) => [...granted].sort((a, b) => a - b)
const mark = (id: number, granted: number[]) => markOf(known, node(id), new Set(granted))

describe('data authorisation', () => {
  it('a granted department covers everything below it and half-ticks everything above it', () => {
    expect([1, 2, 3, 4, 7].map((id) => mark(id, [2]))).toEqual(['half', 'full', 'none', 'full', 'full'])
  })

  it('a stored grant half-ticks its ancestors although the branch was never opened', () => {
    const barely = learn(nothingKnown, [node(1), node(7)])
    expect(markOf(barely, node(1), new Set([7]))).toBe('half')
  })

  it('ticking a parent replaces what was granted below it', () => {
    expect(sorted(toggle(known, node(2), new Set([4, 5, 6])))).toEqual([2, 6])
  })

  it('unticking a granted department removes just that grant', () => {
    expect(sorted(toggle(known, node(2), new Set([2, 6])))).toEqual([6])
  })

  it('unticking inside a granted branch keeps the rest of the branch', () => {
    expect(sorted(toggle(known, node(4), new Set([2])))).toEqual([5])
    expect(sorted(toggle(known, node(7), new Set([1])))).toEqual([3, 5])
  })

  it('names the branches to load before the rest of a granted branch can be kept', () => {
    const barely = learn(learn(nothingKnown, [node(1), node(2), node(7)]), [], 1)
    expect(missingToRemove(barely, node(7), new Set([1]))).toEqual([2, 4])
    expect(missingToRemove(barely, node(7), new Set([7]))).toEqual([])
    expect(missingToRemove(barely, node(7), new Set())).toEqual([])
  })

  it('ticking the last sibling does not grant the parent, which would cover departments added later', () => {
    expect(sorted(toggle(known, node(5), new Set([4])))).toEqual([4, 5])
    expect(mark(2, [4, 5])).toBe('half')
  })
})
