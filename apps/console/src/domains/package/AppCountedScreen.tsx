import { appResult } from '@campanile/contract/package'
import { useParams } from 'react-router'
import { ReleaseResults } from '../release/marks.tsx'

/** The devices that the statistics have counted for one app. */
export default function AppCountedScreen() {
  return <ReleaseResults resource={appResult} fixed={{ itemKey: useParams().key }} />
}
