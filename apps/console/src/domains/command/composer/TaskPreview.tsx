import { deviceTask, type RefusedReason, refusedIn } from '@campanile/contract/command'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { FirstDevices } from '../../../kit/compose/FirstDevices.tsx'
import { PreviewFigures } from '../../../kit/compose/PreviewFigures.tsx'
import { PreviewSide } from '../../../kit/compose/PreviewSide.tsx'
import { RefusedGroups } from '../../../kit/compose/RefusedGroups.tsx'
import { StateMark, usePermitted, useReader } from '../../../kit/index.ts'
import { relativeText, timeText } from '../../../kit/time.ts'
import { Countdown } from '../order/Countdown.tsx'
import type { Preview } from '../order/useOrder.ts'
import type { Missing } from './timing.ts'
import type { Seen } from './usePreview.ts'
import { Windows } from './Windows.tsx'

/** Something else is under way on the device; its task says what. */
const busyCodes: readonly number[] = [93010, 93022, 93026, 93027, 93029, 93030, 93034]

interface Props {
  seen: Seen
  /** What is still to be chosen before anybody can say who receives it. */
  missing: Missing | undefined
  sendTime: string | undefined
  onLeaveOut: (reasons: readonly RefusedReason[]) => void
  children: ReactNode
}

/** Who would receive it and when, and who is refused and why, as things stand now. */
export function TaskPreview({ seen, missing, sendTime, onLeaveOut, children }: Props) {
  const reader = useReader(deviceTask)
  const { t } = reader
  const maySeeTasks = usePermitted(deviceTask.perms.list)
  const { data } = seen
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
    <PreviewSide seen={seen} missing={missing && t(`composer.unsure.${missing}`)}>
      {data && (
        <>
          <Figures preview={data} sendTime={sendTime} />
          {children}
          {data.windows && data.windows.length > 0 && <Windows windows={data.windows} />}
          {data.refused.length > 0 && (
            <RefusedGroups
              refused={data.refused}
              note={t('composer.recorded')}
              words={({ code, message, until }) => (
                <>
                  {reader.maybe(`command.refusal.${code}`) ?? message}
                  {until !== undefined && <Countdown until={until} />}
                </>
              )}
              way={({ code, sns }) =>
                maySeeTasks &&
                busyCodes.includes(code) && (
                  <Link to={`/deviceTask/list?progress=inProgress&sn=${encodeURIComponent(sns.join('/'))}`}>
                    {t('composer.seeTasks')}
                  </Link>
                )
              }
              onLeaveOut={onLeaveOut}
            />
          )}
          {data.first.length > 0 && (
            <FirstDevices first={data.first} receiving={data.receiving} column={t('composer.result')} state={stateOf} />
          )}
        </>
      )}
    </PreviewSide>
  )
}

interface FiguresProps {
  preview: Preview
  sendTime: string | undefined
}

function Figures({ preview: { receiving, online, refused, windows }, sendTime }: FiguresProps) {
  const reader = useReader(deviceTask)
  const { t } = reader
  const soon = windows ? windows.reduce((sum, { open, devices }) => sum + (open ? devices : 0), 0) : online
  const spread = [
    ...(online > 0 ? [t('composer.within', { shown: reader.number(online) })] : []),
    ...(receiving > online ? [t('composer.later', { shown: reader.number(receiving - online) })] : []),
  ]
  const under =
    sendTime === undefined ? spread.join(' · ') : t('composer.atTime', { time: timeText(new Date(sendTime)) })
  return (
    <PreviewFigures
      receiving={receiving}
      soon={soon}
      refused={refusedIn(refused)}
      reasons={refused.length}
      under={windows ? undefined : under}
    />
  )
}
