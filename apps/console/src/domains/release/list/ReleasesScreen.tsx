import { release } from '@campanile/contract/release'
import { askList } from '../../../kit/list/useResourceList.ts'
import { ReleaseList } from './ReleaseList.tsx'

export const ask = (search: string) => askList(release, search)

/** Everything that was brought to devices, of whatever kind. */
export default function ReleasesScreen() {
  return <ReleaseList resource={release} />
}
