import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import {
  countSelected,
  createSelectionStore,
  everything,
  isSelected,
  nothing,
  pageMark,
  withRows,
} from './selection.ts'

describe('a selection', () => {
  it('follows ids, so that turning the page neither loses nor moves a tick', () => {
    const firstPage = withRows(nothing, [1, 3], true)
    const both = withRows(firstPage, [12], true)
    expect([1, 2, 3, 11, 12].filter((id) => isSelected(both, id))).toEqual([1, 3, 12])
    expect(countSelected(both, 4312)).toBe(3)
  })

  it('of all matching keeps the rest when one row is unticked', () => {
    const all = withRows(everything, [7], false)
    expect(isSelected(all, 7)).toBe(false)
    expect(isSelected(all, 8)).toBe(true)
    expect(countSelected(all, 4312)).toBe(4311)
    expect(countSelected(withRows(all, [7], true), 4312)).toBe(4312)
  })

  it('counts what would be touched, whatever was ticked and unticked before', () => {
    const clicks = fc.array(fc.record({ id: fc.nat(49), on: fc.boolean() }))
    fc.assert(
      fc.property(fc.boolean(), clicks, (startsWithAll, steps) => {
        const ids = Array.from({ length: 50 }, (_, id) => id)
        const end = steps.reduce((held, { id, on }) => withRows(held, [id], on), startsWithAll ? everything : nothing)
        expect(countSelected(end, 50)).toBe(ids.filter((id) => isSelected(end, id)).length)
      }),
    )
  })

  it('marks a page none, some or all', () => {
    expect(pageMark(nothing, [1, 2])).toBe('none')
    expect(pageMark(withRows(nothing, [1], true), [1, 2])).toBe('some')
    expect(pageMark(everything, [1, 2])).toBe('all')
    expect(pageMark(everything, [])).toBe('none')
  })
})

it('the store tells its listeners until they leave', () => {
  const store = createSelectionStore()
  const listener = vi.fn()
  const leave = store.subscribe(listener)
  store.set(everything)
  leave()
  store.set(nothing)
  expect(listener).toHaveBeenCalledTimes(1)
})
