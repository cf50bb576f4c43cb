import { device } from '@campanile/contract/device'
import { type Filters, readListState } from '../../../kit/list/listState.ts'

/** A kept filter as a list holds it: each kind of field reads its own words. */
export const filtersOf = (saved: Readonly<Record<string, string | string[]>>): Filters => {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(saved)) for (const each of [value].flat()) params.append(name, each)
  return readListState(device, params.toString(), { sort: device.list.sort, pageSize: device.wire.pageSize }).filters
}

/**
 * What a filter of the device list says about the group it becomes: one type and one department are the group's own,
 * the rest is what it goes by. A filter by group is no filter a group can go by.
 */
export const groupOf = (filters: Filters) => {
  const { deviceType, departmentId, ...rest } = filters
  const only = (value: unknown) => (Array.isArray(value) && value.length === 1 ? Number(value[0]) : null)
  const type = only(deviceType)
  const department = only(departmentId)
  return {
    deviceType: type,
    departmentId: department,
    filters: {
      ...rest,
      ...(type === null && deviceType !== undefined && { deviceType }),
      ...(department === null && departmentId !== undefined && { departmentId }),
    } as Filters,
  }
}
