import { type RefusedReason, refusedIn } from '@campanile/contract/command'
import { release } from '@campanile/contract/release'
import { Button, Skeleton } from 'antd'
import { DeviceLink } from '../../../kit/DeviceLink.tsx'
import { type Reader, SoftTag, StateMark, sizeText, useReader } from '../../../kit/index.ts'
import { PlainTable } from '../../../kit/PlainTable.tsx'
import { timeText } from '../../../kit/time.ts'
import { describeError } from '../../../shell/errorText.ts'
import { minutesText } from '../minutesText.ts'
import type { Preview, Seen } from './usePreview.ts'
import './preview.css'

interface Props {
  seen: Seen
  /** What is still to be said before anybody can tell who is hit; the name of a text. */
  missing: string | undefined
  /** The code its kind has for a device that is in another release. */
  running: number
  onLeaveOut: (reasons: readonly RefusedReason[]) => void
}

/** Who is hit and in which waves, who is refused and why, how much it moves and how long it takes, as things stand now. */
export function PreviewSide({ seen, missing, running, onLeaveOut }: Props) {
  const reader = useReader(release)
  const { t } = reader
  const { data, error, busy } = seen
  const failure = error ? describeError(error) : undefined
  const ready = missing === undefined
  return (
    <section className="releasing-right" aria-label={t('wizard.preview')} data-busy={busy}>
      <div className="releasing-head">
        <h3>{t('wizard.preview')}</h3>
        {data && <span className="quiet">{t(busy ? 'wizard.checking' : 'wizard.checked')}</span>}
      </div>
      {missing !== undefined && <p className="card releasing-unsure">{t(missing)}</p>}
      {ready && failure && (
        <div className="card field-error" role="alert">
          <strong>{failure.title}</strong> {failure.text}
        </div>
      )}
      {ready && !data && !failure && <Skeleton active title={false} paragraph={{ rows: 4 }} />}
      {ready && data && (
        <>
          <Figures preview={data} />
          {data.receiving > 0 && <WavesAhead preview={data} />}
          {data.refused.length > 0 && <Refused preview={data} running={running} onLeaveOut={onLeaveOut} />}
          {data.receiving > 0 && <Shares preview={data} />}
          {data.first.length > 0 && <FirstDevices preview={data} />}
        </>
      )}
    </section>
  )
}

function Figures({ preview }: { preview: Preview }) {
  const reader = useReader(release)
  const { t } = reader
  const { total, receiving, online, refused, bytes, minutes, beginTime } = preview
  const out = refusedIn(refused)
  const share = (part: number) => `${total === 0 ? 0 : (part / total) * 100}%`
  const facts = [
    ...(bytes === null ? [] : [t('wizard.bytes', { size: sizeText(bytes, reader) })]),
    ...(minutes === null ? [t('wizard.openEnd')] : [t('wizard.takes', { span: minutesText(minutes, t) })]),
    ...(beginTime === null ? [] : [t('wizard.begins', { time: timeText(new Date(beginTime)) })]),
  ]
  return (
    <div className="card releasing-figures">
      <p role="status">
        <strong className="releasing-big">{reader.number(receiving)}</strong> {t('wizard.receive')}
        <span className="quiet releasing-under">
          {t('wizard.spread', { online: reader.number(online), away: reader.number(receiving - online) })}
        </span>
      </p>
      {out > 0 && (
        <p>
          <strong className="releasing-big" data-tone="bad">
            {reader.number(out)}
          </strong>{' '}
          {t('wizard.refused')}
          <span className="quiet releasing-under">{t('wizard.reasons', { count: refused.length })}</span>
        </p>
      )}
      <div className="releasing-bar" aria-hidden="true">
        {(
          [
            ['good', online],
            ['accent', receiving - online],
            ['bad', out],
          ] as const
        )
          .filter(([, part]) => part > 0)
          .map(([tone, part]) => (
            <span key={tone} data-tone={tone} style={{ width: share(part) }} />
          ))}
      </div>
      <p className="releasing-facts quiet">{facts.join(' · ')}</p>
    </div>
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

const namedAtOnce = 6

/** Of all it concerns; the server's own words name the first. */
const wordsOf = ({ code, message }: RefusedReason, running: number, { t, maybe }: Reader): string => {
  if (code === running) return t('wizard.refusal.running')
  return maybe(`wizard.refusal.${code}`) ?? maybe(`command.refusal.${code}`) ?? message
}

interface RefusedProps extends Pick<Props, 'running' | 'onLeaveOut'> {
  preview: Preview
}

/** Who cannot take it, by reason, each with its way out. */
function Refused({ preview: { refused, current }, running, onLeaveOut }: RefusedProps) {
  const reader = useReader(release)
  const { t } = reader
  const all = refusedIn(refused)
  return (
    <div className="card releasing-refused">
      <div className="releasing-head">
        <h4>
          {t('wizard.refusedTitle')} <SoftTag tone="bad">{reader.number(all)}</SoftTag>
        </h4>
        {current > 0 && (
          <span className="quiet">{t('wizard.current', { count: current, shown: reader.number(current) })}</span>
        )}
        {refused.length > 1 && (
          <Button size="small" onClick={() => onLeaveOut(refused)}>
            {t('wizard.leaveAll', { count: all, shown: reader.number(all) })}
          </Button>
        )}
      </div>
      <ul aria-label={t('wizard.refusedTitle')}>
        {refused.map((reason) => {
          const { code, count, sns } = reason
          const first = sns.slice(0, namedAtOnce)
          return (
            <li key={code}>
              <strong className="figure">{reader.number(count)}</strong>
              <span>
                {wordsOf(reason, running, reader)} <span className="quiet">({code})</span>{' '}
                <span className="mono quiet">
                  {first.join(', ')}
                  {count > first.length && ` +${reader.number(count - first.length)}`}
                </span>
              </span>
              <Button size="small" onClick={() => onLeaveOut([reason])}>
                {t('wizard.leaveThese', { count, shown: reader.number(count) })}
              </Button>
            </li>
          )
        })}
      </ul>
    </div>
  )
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

function FirstDevices({ preview: { first, receiving } }: { preview: Preview }) {
  const reader = useReader(release)
  const { t } = reader
  return (
    <div className="card">
      <div className="releasing-head">
        <h4>{t('wizard.first')}</h4>
        <span className="quiet">
          {t('wizard.firstOf', { shown: reader.number(first.length), all: reader.number(receiving) })}
        </span>
      </div>
      <PlainTable columns={[reader.field('sn'), reader.field('departmentId'), t('wizard.connection')]}>
        {first.map(({ sn, departmentName, online }) => (
          <tr key={sn}>
            <td>
              <DeviceLink sn={sn} />
            </td>
            <td>{departmentName}</td>
            <td>
              <StateMark tone={online ? 'good' : 'off'}>{t(online ? 'wizard.isOnline' : 'wizard.isAway')}</StateMark>
            </td>
          </tr>
        ))}
      </PlainTable>
    </div>
  )
}
