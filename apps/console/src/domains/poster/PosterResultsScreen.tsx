import { posterResult } from '@campanile/contract/poster'
import { useParams } from 'react-router'
import { ReleaseResults } from '../release/marks.tsx'

/** What became of a poster on each device it was released to. */
export default function PosterResultsScreen() {
  return <ReleaseResults resource={posterResult} fixed={{ itemKey: useParams().id }} />
}
