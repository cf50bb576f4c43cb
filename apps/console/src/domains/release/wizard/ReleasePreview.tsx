import { type RefusedReason, refusedIn } from '@campanile/contract/command'
import { release } from '@campanile/contract/release'
import { FirstDevices } from '../../../kit/compose/FirstDevices.tsx'
import { PreviewFigures } from '../../../kit/compose/PreviewFigures.tsx'
import { PreviewSide } from '../../../kit/compose/PreviewSide.tsx'
import { RefusedGroups } from '../../../kit/compose/RefusedGroups.tsx'
import { type Reader, StateMark, sizeText, useReader } from '../../../kit/index.ts'
import { timeText } from '../../../kit/time.ts'
import { minutesText } from '../minutesText.ts'
import type { Preview, Seen } from './usePreview.ts'

interface Props {
  seen: Seen
  /** What is still to be said before anybody can tell who is hit. */
  missing: string | undefined
  /** The code its kind has for a device that is in another release. */
  running: number
  onLeaveOut: (reasons: readonly RefusedReason[]) => void
}

/** Who is hit and in which waves, who is refused and why, how much it moves and how long it takes, as things stand now. */
export function ReleasePreview({ seen, missing, running, onLeaveOut }: Props) {
  const reader = useReader(release)
  const { t } = reader
  const { data } = seen
  return (
    <PreviewSide seen={seen} missing={missing}>
      {data && (
        <>
          <Figures preview={data} />
          {data.receiving > 0 && <WavesAhead preview={data} />}
          {data.refused.length > 0 && (
            <RefusedGroups
              refused={data.refused}
              note={
                data.current > 0
                  ? t('wizard.current', { count: data.current, shown: reader.number(data.current) })
                  : undefined
              }
              words={(reason) => wordsOf(reason, running, reader)}
              onLeaveOut={onLeaveOut}
            />
          )}
          {data.receiving > 0 && <Shares preview={data} />}
          {data.first.length > 0 && (
            <FirstDevices
              first={data.first}
              receiving={data.receiving}
              column={t('wizard.connection')}
              state={({ online }) => (
                <StateMark tone={online ? 'good' : 'off'}>{t(online ? 'wizard.isOnline' : 'wizard.isAway')}</StateMark>
              )}
            />
          )}
        </>
      )}
    </PreviewSide>
  )
}

function Figures({ preview }: { preview: Preview }) {
  const reader = useReader(release)
  const { t } = reader
  const { receiving, online, refused, bytes, minutes, beginTime } = preview
  const facts = [
    ...(bytes === null ? [] : [t('wizard.bytes', { size: sizeText(bytes, reader) })]),
    ...(minutes === null ? [t('wizard.openEnd')] : [t('wizard.takes', { span: minutesText(minutes, t) })]),
    ...(beginTime === null ? [] : [t('wizard.begins', { time: timeText(new Date(beginTime)) })]),
  ]
  return (
    <PreviewFigures
      receiving={receiving}
      soon={online}
      refused={refusedIn(refused)}
      reasons={refused.length}
      under={t('wizard.spread', { online: reader.number(online), away: reader.number(receiving - online) })}
      facts={facts}
    />
  )
}

function WavesAhead({ preview: { waves } }: { preview: Preview }) {
  const reader = useReader(release)
  const { t } = reader
  return (
    <div className="card">
      <h4>{t('wizard.wavesAhead', { count: waves.length })}</h4>
      <ol className="releasing-ahead">
        {waves.map(({ devices, bakeMinutes }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a wave has no other name than its place
          <li key={at}>
            <strong className="figure">{reader.number(devices)}</strong>
            <span className="quiet">
              {at === waves.length - 1 || bakeMinutes === 0
                ? t('wizard.noBake')
                : t('wizard.bakes', { span: minutesText(bakeMinutes, t) })}
            </span>
          </li>
        ))}
      </ol>
    </div>
  )
}

/** Of all it concerns; the server's own words name the first. */
const wordsOf = ({ code, message }: RefusedReason, running: number, { t, maybe }: Reader): string => {
  if (code === running) return t('wizard.refusal.running')
  return maybe(`wizard.refusal.${code}`) ?? maybe(`command.refusal.${code}`) ?? message
}

/** Which models and whose devices, the most first. */
function Shares({ preview: { models, organisations, receiving } }: { preview: Preview }) {
  const reader = useReader(release)
  const { t } = reader
  const card = (title: string, rows: Preview['models']) => (
    <div className="card releasing-shares">
      <h4>{title}</h4>
      <ul aria-label={title}>
        {rows.map(({ name, devices }) => (
          <li key={name}>
            <span>{name === '' ? t('wizard.unnamed') : name}</span>
            <span className="figure">{reader.number(devices)}</span>
            <span className="releasing-share" aria-hidden="true">
              <span style={{ width: `${(devices / receiving) * 100}%` }} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
  return (
    <div className="releasing-two">
      {organisations.length > 0 && card(t('wizard.organisations'), organisations)}
      {models.length > 0 && card(t('wizard.models'), models)}
    </div>
  )
}
