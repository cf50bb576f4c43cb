import { otaHistory, otaResult } from '@campanile/contract/firmware'
import { ReleaseList } from '../release/marks.tsx'

/** Releases of firmware, and what became of them. */
export default function OtaHistoryScreen() {
  return <ReleaseList resource={otaHistory} devices={otaResult} />
}
