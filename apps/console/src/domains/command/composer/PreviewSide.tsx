import { deviceTask, type RefusedReason, refusedIn } from '@campanile/contract/command'
import { Skeleton } from 'antd'
import type { ReactNode } from 'react'
import { DeviceLink } from '../../../kit/DeviceLink.tsx'
import { StateMark, useReader } from '../../../kit/index.ts'
import { PlainTable } from '../../../kit/PlainTable.tsx'
import { relativeText, timeText } from '../../../kit/time.ts'
import { describeError } from '../../../shell/errorText.ts'
import type { Preview } from '../order/useOrder.ts'
import { RefusedGroups } from './RefusedGroups.tsx'
import type { Missing } from './timing.ts'
import type { Seen } from './usePreview.ts'
import { Windows } from './Windows.tsx'

interface Props {
  seen: Seen
  /** What is still to be chosen before anybody can say who receives it. */
  missing: Missing | undefined
  sendTime: string | undefined
  onLeaveOut: (reasons: readonly RefusedReason[]) => void
  children: ReactNode
}

/** Who would receive it and when, and who is refused and why, as things stand now. */
export function PreviewSide({ seen, missing, sendTime, onLeaveOut, children }: Props) {
  const reader = useReader(deviceTask)
  const { t } = reader
  const { data, error, busy } = seen
  const failure = error ? describeError(error) : undefined
  return (
    <section className="composer-right" aria-label={t('composer.preview')} data-busy={busy}>
      <div className="composer-right-head">
        <h3>{t('composer.preview')}</h3>
        {data && <span className="quiet">{t(busy ? 'composer.checking' : 'composer.checked')}</span>}
      </div>
      {missing !== undefined && <p className="card composer-unsure">{t(`composer.unsure.${missing}`)}</p>}
      {failure && (
        <div className="card field-error" role="alert">
          <strong>{failure.title}</strong> {failure.text}
        </div>
      )}
      {missing === undefined && !data && !failure && <Skeleton active title={false} paragraph={{ rows: 4 }} />}
      {missing === undefined && data && (
        <>
          <Figures preview={data} sendTime={sendTime} />
          {children}
          {data.windows && data.windows.length > 0 && <Windows windows={data.windows} />}
          {data.refused.length > 0 && <RefusedGroups refused={data.refused} onLeaveOut={onLeaveOut} />}
          {data.first.length > 0 && <FirstDevices preview={data} sendTime={sendTime} />}
        </>
      )}
    </section>
  )
}

function Figures({
  preview: { total, receiving: hit, online, refused, windows },
  sendTime,
}: {
  preview: Preview
  sendTime: string | undefined
}) {
  const reader = useReader(deviceTask)
  const { t } = reader
  const out = refusedIn(refused)
  const soon = windows ? windows.reduce((sum, { open, devices }) => sum + (open ? devices : 0), 0) : online
  const share = (part: number) => `${total === 0 ? 0 : (part / total) * 100}%`
  const spread = [
    ...(online > 0 ? [t('composer.within', { shown: reader.number(online) })] : []),
    ...(hit > online ? [t('composer.later', { shown: reader.number(hit - online) })] : []),
  ]
  return (
    <div className="card composer-figures">
      <p role="status">
        <strong className="composer-figure">{reader.number(hit)}</strong> {t('composer.receive')}
        <span className="quiet">
          {windows
            ? null
            : sendTime === undefined
              ? spread.join(' · ')
              : t('composer.atTime', { time: timeText(new Date(sendTime)) })}
        </span>
      </p>
      {out > 0 && (
        <p>
          <strong className="composer-figure" data-tone="bad">
            {reader.number(out)}
          </strong>{' '}
          {t('composer.refused')}
          <span className="quiet">{t('composer.reasons', { count: refused.length })}</span>
        </p>
      )}
      <div className="composer-bar" aria-hidden="true">
        {(
          [
            ['good', soon],
            ['accent', hit - soon],
            ['bad', out],
          ] as const
        )
          .filter(([, part]) => part > 0)
          .map(([tone, part]) => (
            <span key={tone} data-tone={tone} style={{ width: share(part) }} />
          ))}
      </div>
    </div>
  )
}

function FirstDevices({ preview, sendTime }: { preview: Preview; sendTime: string | undefined }) {
  const reader = useReader(deviceTask)
  const { t } = reader
  const { first, receiving: hit } = preview
  const stateOf = ({ online, since, sendTime: own = sendTime }: Preview['first'][number]) => {
    if (own !== undefined)
      return <StateMark tone="accent">{t('composer.atTime', { time: timeText(new Date(own)) })}</StateMark>
    if (online) return <StateMark tone="good">{t('composer.soon')}</StateMark>
    if (since === null) return <StateMark tone="off">{t('composer.waitsNever')}</StateMark>
    const time = new Date(since)
    const ago = relativeText(time, new Date(), reader.language) ?? timeText(time)
    return <StateMark tone="off">{t('composer.waits', { since: ago })}</StateMark>
  }
  return (
    <div className="card composer-first">
      <div className="composer-card-head">
        <h4>{t('composer.first')}</h4>
        <span className="quiet">
          {t('composer.firstOf', { shown: reader.number(first.length), all: reader.number(hit) })}
        </span>
      </div>
      <PlainTable columns={[reader.field('sn'), reader.field('departmentId'), t('composer.result')]}>
        {first.map((each) => (
          <tr key={each.sn}>
            <td>
              <DeviceLink sn={each.sn} />
            </td>
            <td>{each.departmentName}</td>
            <td>{stateOf(each)}</td>
          </tr>
        ))}
      </PlainTable>
    </div>
  )
}
