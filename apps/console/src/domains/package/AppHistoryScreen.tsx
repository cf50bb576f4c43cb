import { appHistory, appResult } from '@campanile/contract/package'
import { ReleaseList } from '../release/marks.tsx'

/** Releases of apps, and what became of them. */
export default function AppHistoryScreen() {
  return <ReleaseList resource={appHistory} devices={appResult} />
}
