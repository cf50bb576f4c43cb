import { device } from '@campanile/contract/device'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { calls } from '../../../kit/index.ts'
import { listKey } from '../../../kit/list/useResourceList.ts'

/** In the words of the device list's filter. */
export type DeviceFilter = Readonly<Record<string, string | readonly (string | number)[]>>

/** Lists in a pop-up show five (behaviour: api.page-size). */
export const popupPageSize = 5

export const useDevicePage = (filter: DeviceFilter, page: number) => {
  const wire = { ...filter, sort: device.list.sort, page, pageSize: popupPageSize }
  return useQuery({
    queryKey: [...listKey(device), wire],
    queryFn: ({ signal }) => calls.list(device, wire, { signal }),
    placeholderData: keepPreviousData,
  })
}
