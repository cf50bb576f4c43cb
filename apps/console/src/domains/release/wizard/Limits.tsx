import { type ReleaseKindSpec, release, releaseRetriesMax, stateMinutesMax } from '@campanile/contract/release'
import { Checkbox, InputNumber } from 'antd'
import type { ReactNode } from 'react'
import { useReader } from '../../../kit/index.ts'
import type { How } from './how.ts'
import { Minutes } from './Minutes.tsx'

interface Props {
  how: How
  spec: ReleaseKindSpec
  onChange: (part: Partial<How>) => void
}
type Numbers = { [K in keyof How]: How[K] extends number | null ? K : never }[keyof How]
type Switches = { [K in keyof How]: How[K] extends boolean ? K : never }[keyof How]

/** When it stops by itself, what must hold before it goes on, and how long devices may take. */
export function Limits({ how, spec, onChange }: Props) {
  const { t } = useReader(release)
  const figure = (name: Numbers, max: number, min = 0, suffix?: string) => (
    <InputNumber
      className="releasing-figure"
      aria-label={t(`wizard.limit.${name}`)}
      min={min}
      max={max}
      precision={0}
      {...(suffix === undefined ? {} : { suffix })}
      value={how[name]}
      onChange={(value) => onChange({ [name]: value })}
    />
  )
  const tick = (name: Switches) => (
    <Checkbox checked={how[name]} onChange={({ target }) => onChange({ [name]: target.checked })}>
      {t(`wizard.limit.${name}`)}
    </Checkbox>
  )
  const line = (name: string, children: ReactNode, help?: string) => (
    <div className="releasing-line" key={name}>
      <span>{t(`wizard.limit.${name}`)}</span>
      {children}
      {help !== undefined && <span className="quiet">{help}</span>}
    </div>
  )
  const may = (name: ReleaseKindSpec['conditions'][number]) => spec.conditions.includes(name)
  return (
    <>
      <fieldset className="releasing-set">
        <legend>{t('wizard.stops')}</legend>
        {line('failPercent', figure('failPercent', 100, 0, '%'))}
        {line('failCount', figure('failCount', 10_000, 1))}
      </fieldset>
      {how.waves.length > 1 && (
        <fieldset className="releasing-set">
          <legend>{t('wizard.goesOn')}</legend>
          {line('successPercent', figure('successPercent', 100, 0, '%'))}
          <div className="releasing-ticks">
            {tick('online')}
            {tick('heartbeat')}
            {tick('noCrash')}
          </div>
        </fieldset>
      )}
      <fieldset className="releasing-set">
        <legend>{t('wizard.onDevices')}</legend>
        <div className="releasing-ticks">
          {tick('maintenance')}
          {may('wifiOnly') && tick('wifiOnly')}
          {may('rollBack') && tick('rollBack')}
        </div>
        {may('minBattery') && line('minBattery', figure('minBattery', 100, 0, '%'))}
        {may('bytesPerSecond') && line('kilobytesPerSecond', figure('kilobytesPerSecond', 900_000, 1, 'KiB/s'))}
        {line('retries', figure('retries', releaseRetriesMax), t('wizard.retriesHelp'))}
      </fieldset>
      <details className="releasing-details">
        <summary>{t('wizard.timeouts')}</summary>
        <p className="field-help">{t('wizard.timeoutsHelp')}</p>
        {(['published', 'downloading', 'upgrading'] as const).map((name) =>
          line(
            name,
            <Minutes
              label={t(`wizard.limit.${name}`)}
              min={1}
              max={stateMinutesMax}
              value={how[name]}
              onChange={(value) => onChange({ [name]: value })}
            />,
          ),
        )}
      </details>
    </>
  )
}
