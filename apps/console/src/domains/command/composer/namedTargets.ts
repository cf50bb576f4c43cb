import { device } from '@campanile/contract/device'
import type { SavedView } from '@campanile/contract/identity'
import { filterTexts, readListState } from '../../../kit/list/listState.ts'
import type { NamedTarget } from '../tellDevices.tsx'

/** All that a saved view of the device list shows at the moment it is sent. */
export const targetOfView = ({ name, state }: Pick<SavedView, 'name' | 'state'>): NamedTarget => ({
  filter: filterTexts(readListState(device, state.search, { sort: '', pageSize: 1 }).filters),
  label: name,
})

export const targetOfGroup = ({ id, name }: { readonly id: number; readonly name: string }): NamedTarget => ({
  groupId: id,
  label: name,
})
