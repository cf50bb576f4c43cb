import { type ReleaseKindSpec, release } from '@campanile/contract/release'
import { Select } from 'antd'
import dayjs from 'dayjs'
import { useId } from 'react'
import { Choice } from '../../../kit/compose/Choice.tsx'
import { useReader } from '../../../kit/index.ts'
import { DatePicker, takenAtOnce } from '../../../kit/inputs/calendars.ts'
import { type Clock, clocks, type How } from './how.ts'

interface Props {
  how: How
  spec: ReleaseKindSpec
  onChange: (part: Partial<How>) => void
  error: string | undefined
}

/** Where the focus goes while no time is chosen. */
export const timeInput = 'releasing-time'
const written = 'YYYY-MM-DDTHH:mm'

/** At once, as each of them connects, or at a time by somebody's clocks. */
export function When({ how: { mode, time, clock }, spec, onChange, error }: Props) {
  const { t, option } = useReader(release)
  const id = useId()
  const take = (chosen: dayjs.Dayjs | null) => onChange({ time: chosen ? chosen.format(written) : null })
  return (
    <fieldset className="compose-choices" aria-label={t('wizard.when')}>
      {spec.modes.map((each) => (
        <Choice
          key={each}
          name={`${id}-mode`}
          title={option('mode', each)}
          help={t(`wizard.mode.${each}`)}
          chosen={mode === each}
          onChoose={() => onChange({ mode: each })}
        >
          {each === 'scheduled' && (
            <>
              <DatePicker
                id={timeInput}
                aria-label={t('wizard.time')}
                format="YYYY-MM-DD HH:mm"
                showTime={{ format: 'HH:mm' }}
                disabledDate={(day) => day.isBefore(dayjs().startOf('day'))}
                value={time === null ? null : dayjs(time)}
                onChange={take}
                {...takenAtOnce(take)}
                {...(error === undefined ? {} : { status: 'error' as const })}
              />
              <Select<Clock>
                aria-label={t('wizard.clock')}
                value={clock}
                onChange={(chosen) => onChange({ clock: chosen })}
                options={clocks.map((value) => ({
                  value,
                  label: t(`wizard.clocks.${value}`, { zone: Intl.DateTimeFormat().resolvedOptions().timeZone }),
                }))}
              />
              {error !== undefined && (
                <p className="field-error" role="alert">
                  {error}
                </p>
              )}
            </>
          )}
        </Choice>
      ))}
    </fieldset>
  )
}
