import { device } from '@campanile/contract/device'
import type { SavedView } from '@campanile/contract/identity'
import { filterTexts, readListState } from '../../../kit/list/listState.ts'

/** Devices that have a name together. */
export type NamedDevices =
  | { readonly filter: ReturnType<typeof filterTexts>; readonly label: string }
  | { readonly groupId: number; readonly label: string }

/** All that a saved view of the device list shows at the moment it is sent. */
export const targetOfView = ({ name, state }: Pick<SavedView, 'name' | 'state'>): NamedDevices => ({
  filter: filterTexts(readListState(device, state.search, { sort: '', pageSize: 1 }).filters),
  label: name,
})

export const targetOfGroup = ({ id, name }: { readonly id: number; readonly name: string }): NamedDevices => ({
  groupId: id,
  label: name,
})
