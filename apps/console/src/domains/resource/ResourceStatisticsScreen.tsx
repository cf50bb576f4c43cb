import { resourceReleased, resourceStatistic } from '@campanile/contract/resource'
import { ReleaseStatistics } from '../release/marks.tsx'

/** What became of each resource. */
export default function ResourceStatisticsScreen() {
  return <ReleaseStatistics resource={resourceStatistic} devices={resourceReleased} path="/custom/statistics" />
}
