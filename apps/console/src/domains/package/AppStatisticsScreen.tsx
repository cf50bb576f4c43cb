import { appResult, appStatistic } from '@campanile/contract/package'
import { ReleaseStatistics } from '../release/marks.tsx'

const only = { action: 'install' }

/** How often each app was released, and on how many devices it came. */
export default function AppStatisticsScreen() {
  return <ReleaseStatistics resource={appStatistic} devices={appResult} path="/IOT/apk/statistics" only={only} />
}
