import { defineResource, text } from '@campanile/contract/kit'
import { describe, expect, it } from 'vitest'
import { defaultColumns, moveColumn, settleColumns, visibleColumns } from './columns.ts'

const lamp = defineResource({
  name: 'lamp',
  wire: { path: '/api/v1/lamp' },
  fields: { name: text(), a: text(), b: text(), c: text(), d: text() },
  list: { columns: ['name', 'a', 'b', 'c', 'd'], hidden: ['d'], filters: [], sort: 'name' },
  perms: { list: 'lamp:list' },
  scope: 'organisation',
})

describe('stored column settings', () => {
  it('that are missing or damaged give the declared columns', () => {
    for (const stored of [undefined, null, 'x', 7, {}, { order: 'name' }, { order: [1] }])
      expect(settleColumns(lamp, stored)).toEqual(defaultColumns(lamp))
  })

  it('keep the person’s order, and show columns that are new since then where they are declared', () => {
    const old = { order: ['name', 'c', 'a'], hidden: ['a'], pinned: ['c'] }
    const now = settleColumns(lamp, old)
    expect(now.order).toEqual(['name', 'c', 'd', 'a', 'b'])
    expect(visibleColumns(now, 'name')).toEqual(['name', 'c', 'b'])
  })

  it('leave a new column hidden when it is declared so', () => {
    expect(settleColumns(lamp, { order: ['name', 'a', 'b', 'c'], hidden: [], pinned: [] }).hidden).toEqual(['d'])
  })

  it('lose columns that no longer exist, twice-named ones, and unknown densities', () => {
    const now = settleColumns(lamp, {
      order: ['name', 'gone', 'b', 'b', 'a', 'c', 'd'],
      hidden: ['gone'],
      pinned: ['gone'],
      density: 'huge',
    })
    expect(now).toEqual({ order: ['name', 'b', 'a', 'c', 'd'], hidden: [], pinned: [] })
  })

  it('never hide or move the identity', () => {
    const now = settleColumns(lamp, { order: ['a', 'b', 'name', 'c', 'd'], hidden: ['name', 'b'], pinned: [] })
    expect(visibleColumns(now, 'name')).toEqual(['name', 'a', 'c', 'd'])
  })
})

describe('moving a column', () => {
  const settings = defaultColumns(lamp)
  it('takes it one step or any distance, but not before the identity or past the end', () => {
    expect(moveColumn(settings, 'c', 2, 'name').order).toEqual(['name', 'a', 'c', 'b', 'd'])
    expect(moveColumn(settings, 'a', 0, 'name').order).toEqual(['name', 'a', 'b', 'c', 'd'])
    expect(moveColumn(settings, 'a', 99, 'name').order).toEqual(['name', 'b', 'c', 'd', 'a'])
    expect(moveColumn(settings, 'name', 3, 'name')).toBe(settings)
  })
})
