import type { ReleaseDeviceState } from '@campanile/contract/release'
import { toneOfDevice } from './story.ts'
import './percent.css'

interface Props {
  state: ReleaseDeviceState
  percent?: number | null
}

/** How far a device is. */
export function Percent({ state, percent = null }: Props) {
  const share = state === 'succeeded' ? 100 : percent
  if (share === null) return <span className="nothing">–</span>
  return (
    <span className="release-percent" data-tone={toneOfDevice[state]}>
      <span aria-hidden="true">
        <span style={{ width: `${share}%` }} />
      </span>
      <span className="figure">{share} %</span>
    </span>
  )
}
