import { appHistory, appResult } from '@campanile/contract/package'
import { ReleaseDevices } from '../release/marks.tsx'

/** What became of an app on each device of one release. */
export default function AppHistoryDetailScreen() {
  return <ReleaseDevices history={appHistory} devices={appResult} />
}
