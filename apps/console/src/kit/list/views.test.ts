import { device } from '@campanile/contract/device'
import { choice, defineResource, number, text } from '@campanile/contract/kit'
import { describe, expect, it } from 'vitest'
import { defaultColumns, toggleColumn } from './columns.ts'
import { readListState } from './listState.ts'
import { isOpen, isSameView, readyViews, viewOf } from './views.ts'

const lamp = defineResource({
  name: 'lamp',
  wire: { path: '/api/v1/lamp' },
  fields: { name: text(), watts: number(0, 100), colour: choice(['red', 'green']) },
  list: { columns: ['name', 'watts', 'colour'], filters: ['name', 'colour'], sort: 'name' },
  perms: { list: 'lamp:list' },
  scope: 'organisation',
})
const defaults = { sort: lamp.list.sort, pageSize: 17 }
const columns = { ...defaultColumns(lamp), hidden: ['watts', 'colour'], density: 'compact' as const }
const now = viewOf('?name=hall&colour=red&colour=green', columns)
const isSame = (saved: typeof now, shown = now) => isSameView(lamp, defaults, saved, shown)

describe('a saved view', () => {
  it('is what the list shows right after saving, in whatever order the database hands its parts back', () => {
    const { search, hidden = [], columns: order = [] } = now
    expect(isSame({ hidden: [...hidden].reverse(), density: 'compact', search, columns: order })).toBe(true)
    expect(isSame({ ...now, search: '?colour=red&colour=green&name=hall&pageSize=17' })).toBe(true)
  })

  it('is changed by another filter, sort, column or row height', () => {
    expect(isSame({ ...now, search: '?name=hall&colour=red' })).toBe(false)
    expect(isSame({ ...now, search: `${now.search}&sort=-watts` })).toBe(false)
    expect(isSame(viewOf(now.search, toggleColumn(columns, 'hidden', 'watts')))).toBe(false)
    const { density: _, ...roomy } = columns
    expect(isSame(viewOf(now.search, roomy))).toBe(false)
  })

  it('stays what it is where a column is new since', () => {
    expect(
      isSame(
        { ...now, columns: ['name', 'colour'], hidden: ['colour'] },
        viewOf(now.search, { ...columns, hidden: ['colour'] }),
      ),
    ).toBe(true)
    expect(isSame({ search: now.search })).toBe(true)
  })
})

describe('a view that the declaration offers', () => {
  const [robots] = readyViews(device, defaults)
  const stateOf = (search: string) => readListState(device, search, defaults)

  it('is an address of the list, and open while the list is filtered by its value', () => {
    expect(robots).toMatchObject({ name: 'deviceType', search: '?deviceType=3' })
    expect(robots && isOpen(robots, stateOf('?deviceType=3').filters)).toBe(true)
    expect(robots && isOpen(robots, stateOf('?deviceType=3&iotStatus=online').filters)).toBe(true)
  })

  it('is not open among other values', () => {
    expect(robots && isOpen(robots, stateOf('').filters)).toBe(false)
    expect(robots && isOpen(robots, stateOf('?deviceType=3&deviceType=4').filters)).toBe(false)
  })
})
