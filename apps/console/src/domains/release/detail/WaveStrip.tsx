import { CheckOutlined, ClockCircleOutlined, PauseOutlined, RightOutlined, SyncOutlined } from '@ant-design/icons'
import { release } from '@campanile/contract/release'
import type { ReactNode } from 'react'
import { SoftTag, useReader } from '../../../kit/index.ts'
import { minutesText } from '../minutesText.ts'
import { clockText, type Detail, toneOfWave, type Wave } from './story.ts'
import './waves.css'

const marks: Readonly<Record<Wave['state'], ReactNode>> = {
  waiting: <ClockCircleOutlined />,
  running: <SyncOutlined />,
  baking: <ClockCircleOutlined />,
  done: <CheckOutlined />,
  paused: <PauseOutlined />,
  stopped: <PauseOutlined />,
}

interface Props {
  waves: Detail['waves']
  chosen: number | undefined
  onChoose: (wave: number | undefined) => void
}

/** The release from left to right: each wave with its share, how it stands and when it was. Pressed, it shows its devices. */
export function WaveStrip({ waves, chosen, onChoose }: Props) {
  const { t } = useReader(release)
  return (
    <ol className="wave-strip card" aria-label={t('releaseDetail.waves')}>
      {waves.map((wave, at) => (
        <li key={wave.wave} data-state={wave.state}>
          <button
            type="button"
            aria-pressed={chosen === wave.wave}
            onClick={() => onChoose(chosen === wave.wave ? undefined : wave.wave)}
          >
            <WaveText wave={wave} isLast={at === waves.length - 1} before={waves[at - 1]} />
          </button>
          {at < waves.length - 1 && (
            <span className="wave-next" aria-hidden="true">
              <RightOutlined />
            </span>
          )}
        </li>
      ))}
    </ol>
  )
}

function WaveText({ wave, isLast, before }: { wave: Wave; isLast: boolean; before: Wave | undefined }) {
  const reader = useReader(release)
  const { t } = reader
  const { state, size, succeeded, failed, open, cancelled } = wave
  const share = (part: number) => `${size === 0 ? 0 : (part / size) * 100}%`
  const amount = (key: string, count: number) => t(key, { count, shown: reader.number(count) })
  const title =
    wave.devices !== null
      ? amount('releaseDetail.devices', wave.devices)
      : isLast || wave.percent === 100
        ? t('releaseDetail.all')
        : t('releaseDetail.percent', { percent: wave.percent })
  const parts = [
    ['succeeded', succeeded],
    ['failed', failed],
    ['open', open],
    ['cancelled', cancelled],
  ] as const
  const story =
    state === 'waiting'
      ? amount('releaseDetail.waits', size)
      : succeeded === size
        ? t('releaseDetail.ofSize', { succeeded: reader.number(succeeded), size: reader.number(size) })
        : parts
            .filter(([, count]) => count > 0)
            .map(([name, count]) => t(`releaseDetail.some.${name}`, { shown: reader.number(count) }))
            .join(' · ')
  return (
    <>
      <span className="wave-head">
        <span className="wave-mark" aria-hidden="true">
          {marks[state]}
        </span>
        <strong>{title}</strong>
        <span className="quiet">{t('releaseDetail.waveName', { wave: wave.wave })}</span>
        <SoftTag tone={toneOfWave[state]}>{t(`releaseDetail.wave.${state}`)}</SoftTag>
      </span>
      <span className="wave-bar" aria-hidden="true">
        {state !== 'waiting' &&
          parts.map(
            ([name, count]) => count > 0 && <span key={name} data-part={name} style={{ width: share(count) }} />,
          )}
      </span>
      <span className="wave-story">{story}</span>
      <span className="quiet wave-times">{timesOf(wave, before, t)}</span>
    </>
  )
}

const timesOf = (
  { state, bakeMinutes, beginTime, endTime, bakeUntil, wave }: Wave,
  before: Wave | undefined,
  t: (key: string, values?: Record<string, unknown>) => string,
): string => {
  const now = new Date()
  const span = minutesText(bakeMinutes, t)
  const bake =
    bakeMinutes === 0
      ? t('releaseDetail.bakeNone')
      : state === 'done'
        ? t('releaseDetail.baked', { span })
        : bakeUntil !== null && state === 'baking'
          ? t('releaseDetail.bakeUntil', { time: clockText(bakeUntil, now) })
          : t('releaseDetail.bakeFor', { span })
  const when =
    beginTime === null
      ? before && t(before.bakeMinutes > 0 ? 'releaseDetail.afterBake' : 'releaseDetail.afterWave', { wave: wave - 1 })
      : endTime === null
        ? t('releaseDetail.from', { from: clockText(beginTime, now) })
        : t('releaseDetail.fromTo', { from: clockText(beginTime, now), to: clockText(endTime, now) })
  return [bake, when].filter(Boolean).join(' · ')
}
