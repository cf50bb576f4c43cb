import { type CommandName, commands, deviceTask, mayWaitLonger } from '@campanile/contract/command'
import { Select } from 'antd'
import dayjs from 'dayjs'
import { type ReactNode, useId } from 'react'
import { Choice } from '../../../kit/compose/Choice.tsx'
import { useReader } from '../../../kit/index.ts'
import { DatePicker, takenAtOnce } from '../../../kit/inputs/calendars.ts'
import type { Preview } from '../order/useOrder.ts'
import { type Timing, type UsedTiming, waitDays } from './timing.ts'

interface Props {
  timing: UsedTiming
  command: CommandName | undefined
  preview: Preview | undefined
  error: string | undefined
}

/** Where the focus goes while no time is chosen. */
export const timeInput = 'composer-time'

/** Now, at a time, in the maintenance window, or as each of them connects. */
export function When({ timing: { value, change }, command, preview, error }: Props) {
  const reader = useReader(deviceTask)
  const { t } = reader
  const id = useId()
  const wait = command === undefined ? undefined : commands[command].waitMinutes
  const spanOf = (minutes: number) =>
    minutes < 60
      ? t('composer.span.minutes', { count: minutes })
      : minutes < 48 * 60
        ? t('composer.span.hours', { count: minutes / 60 })
        : t('composer.span.days', { count: minutes / 1440 })
  const take = (time: dayjs.Dayjs | null) => change({ time: time ? time.toISOString() : null })
  const hit = preview?.receiving ?? 0
  const nowHelp =
    wait === undefined
      ? undefined
      : !preview
        ? t('composer.help.nowAny', { span: spanOf(wait) })
        : preview.online === hit
          ? t('composer.help.nowAll')
          : t('composer.help.now', {
              online: reader.number(preview.online),
              hit: reader.number(hit),
              span: spanOf(wait),
            })
  const option = (kind: Timing['kind'], help: string | undefined, children?: ReactNode) => (
    <Choice
      name={`${id}-when`}
      title={t(`composer.at.${kind}`)}
      help={help}
      chosen={value.kind === kind}
      onChoose={() => change({ kind })}
    >
      {children}
    </Choice>
  )
  return (
    <fieldset className="compose-choices" aria-label={t('composer.when')}>
      {option('now', nowHelp)}
      {option(
        'time',
        t('composer.help.time'),
        <>
          <DatePicker
            id={timeInput}
            aria-label={t('composer.at.time')}
            format="YYYY-MM-DD HH:mm"
            showTime={{ format: 'HH:mm' }}
            disabledDate={(day) => day.isBefore(dayjs().startOf('day'))}
            value={value.time === null ? null : dayjs(value.time)}
            onChange={take}
            {...takenAtOnce(take)}
            {...(error === undefined ? {} : { status: 'error' as const })}
          />
          {error !== undefined && (
            <p className="field-error" role="alert">
              {error}
            </p>
          )}
        </>,
      )}
      {option('window', t('composer.help.window'))}
      {command !== undefined &&
        mayWaitLonger(commands[command]) &&
        option(
          'online',
          t('composer.help.online'),
          <>
            <label htmlFor={`${id}-days`}>{t('composer.giveUp')}</label>
            <Select
              id={`${id}-days`}
              value={value.days}
              onChange={(days) => change({ days })}
              options={waitDays.map((days) => ({ value: days, label: t('composer.span.days', { count: days }) }))}
            />
            <span className="quiet">{t('composer.missed')}</span>
          </>,
        )}
    </fieldset>
  )
}
