import { otaHistory, otaResult } from '@campanile/contract/firmware'
import { ReleaseDevices } from '../release/marks.tsx'

/** What became of firmware on each device of one release. */
export default function OtaHistoryDetailScreen() {
  return <ReleaseDevices history={otaHistory} devices={otaResult} />
}
