import type { chargingStates } from '@campanile/contract/device'
import type { Reader } from '../../kit/index.ts'
import './device.css'

interface BatteryProps {
  percent: number | null
  charging: (typeof chargingStates)[number]
  /** Told before the device went away. */
  old?: boolean
  reader: Reader
}

const lowPercent = 20

/** How full, in figures and as a bar; a bolt while it charges. Where none was told there is a dash, never an empty bar. */
export function Battery({ percent, charging, old = false, reader }: BatteryProps) {
  if (percent === null) return <span className="nothing">–</span>
  const tone = percent < lowPercent && charging !== 'charging' ? 'bad' : percent < 2 * lowPercent ? 'warning' : 'good'
  return (
    <span className="battery" data-old={old} title={reader.option('charging', charging)}>
      <span className={`battery-bar battery-${tone}`} aria-hidden="true">
        <span style={{ width: `${percent}%` }} />
      </span>
      <span className="figure">{percent} %</span>
      {charging === 'charging' && (
        <>
          <span aria-hidden="true">⚡</span>
          <span className="visually-hidden">{reader.option('charging', charging)}</span>
        </>
      )}
    </span>
  )
}
