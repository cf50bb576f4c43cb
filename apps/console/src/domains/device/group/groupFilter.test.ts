import { describe, expect, it } from 'vitest'
import { filterTexts } from '../../../kit/list/listState.ts'
import { filtersOf, groupOf } from './groupFilter.ts'

describe('a filter as a group', () => {
  it('gives its one type and department to the group and keeps the rest', () => {
    expect(groupOf({ deviceType: [3], departmentId: [7], model: 'RB' })).toEqual({
      deviceType: 3,
      departmentId: 7,
      filters: { model: 'RB' },
    })
  })

  it('leaves several to the filter, for the person to choose one', () => {
    expect(groupOf({ deviceType: [3, 4], iotStatus: ['online'] })).toEqual({
      deviceType: null,
      departmentId: null,
      filters: { deviceType: [3, 4], iotStatus: ['online'] },
    })
  })

  it('is read back as it was kept', () => {
    const filters = { sn: ['A-1', 'A-2'], locked: true, iotStatus: ['online', 'flapping'], activationStatus: [2] }
    expect(filtersOf(filterTexts(filters))).toEqual(filters)
  })
})
