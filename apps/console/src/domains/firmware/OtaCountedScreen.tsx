import { otaResult } from '@campanile/contract/firmware'
import { useParams } from 'react-router'
import { ReleaseResults } from '../release/marks.tsx'

/** The devices that the statistics have counted for one package. */
export default function OtaCountedScreen() {
  return <ReleaseResults resource={otaResult} fixed={{ itemKey: useParams().key }} />
}
