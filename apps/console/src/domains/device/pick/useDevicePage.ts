import { device } from '@campanile/contract/device'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { calls } from '../../../kit/index.ts'
import { listKey } from '../../../kit/list/useResourceList.ts'

/** In the words of the device list's filter. */
export type DeviceFilter = Readonly<Record<string, string | readonly (string | number)[]>>

/** A list in a small pop-up shows five (behaviour: api.page-size). */
const popupPageSize = 5

export const useDevicePage = (filter: DeviceFilter, page: number, pageSize = popupPageSize) => {
  const wire = { ...filter, sort: device.list.sort, page, pageSize }
  return useQuery({
    queryKey: [...listKey(device), wire],
    queryFn: ({ signal }) => calls.list(device, wire, { signal }),
    placeholderData: keepPreviousData,
  })
}

const gatherSize = 199

/** The serials of all devices that fit. */
export const gatherSerials = async (filter: DeviceFilter): Promise<string[]> => {
  const sns: string[] = []
  for (let page = 1; ; page += 1) {
    const { rows } = await calls.list(device, { ...filter, sort: device.list.sort, page, pageSize: gatherSize })
    sns.push(...rows.map(({ sn }) => sn))
    if (rows.length < gatherSize) return sns
  }
}
