import { resourceReleased } from '@campanile/contract/resource'
import { useParams } from 'react-router'
import { ReleaseResults } from '../release/marks.tsx'

/** The devices that the statistics have counted for one resource. */
export default function ResourceCountedScreen() {
  return <ReleaseResults resource={resourceReleased} fixed={{ itemKey: useParams().key }} />
}
