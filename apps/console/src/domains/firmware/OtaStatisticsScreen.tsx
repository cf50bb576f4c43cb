import { otaResult, otaStatistic } from '@campanile/contract/firmware'
import { ReleaseStatistics } from '../release/marks.tsx'

/** What became of each firmware package. */
export default function OtaStatisticsScreen() {
  return <ReleaseStatistics resource={otaStatistic} devices={otaResult} path="/IOT/ota/statistics" />
}
