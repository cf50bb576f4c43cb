import { type chargingStates, device, type iotStates } from '@campanile/contract'
import { type Reader, useReader } from '../../kit/index.ts'
import { StateMark, type StateTone } from '../../kit/cells.tsx'
import './device.css'

const tones: Record<(typeof iotStates)[number], StateTone> = { online: 'good', offline: 'off', flapping: 'warning' }

/** ● online, ○ offline, ◆ unstable. */
export function Presence({ status }: { status: (typeof iotStates)[number] }) {
  const reader = useReader(device)
  return <StateMark tone={tones[status]}>{reader.option('iotStatus', status)}</StateMark>
}

interface BatteryProps {
  percent: number | null
  charging: (typeof chargingStates)[number]
  reader: Reader
}

const lowPercent = 20

/** How full, in figures and as a bar; a bolt while it charges. Unknown is said, never drawn as empty. */
export function Battery({ percent, charging, reader }: BatteryProps) {
  if (percent === null) return <span className="nothing">{reader.option('charging', 'unknown')}</span>
  const tone = percent < lowPercent && charging !== 'charging' ? 'bad' : percent < 2 * lowPercent ? 'warning' : 'good'
  return (
    <span className="battery" title={reader.option('charging', charging)}>
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
