import { configLimits, configShape } from '@campanile/contract/system'
import { Input, InputNumber, Radio, Select, Switch } from 'antd'
import type { ReactNode } from 'react'
import { languageNames } from '../../../shell/language.ts'
import { later } from '../../../shell/later.tsx'
import type { SettingName } from './configValues.ts'
import { KeyInput } from './KeyInput.tsx'
import { LanguagesInput } from './LanguagesInput.tsx'
import type { SettingInputProps } from './settingInputProps.ts'

const DepartmentPicker = later(async () => (await import('../../../kit/inputs/DepartmentPicker.tsx')).DepartmentPicker)

type InputOf = (props: SettingInputProps) => ReactNode

const shared = ({ id, label, invalid, disabled, describedBy }: SettingInputProps) => ({
  id,
  disabled,
  ...(invalid ? { status: 'error' as const } : {}),
  'aria-label': label,
  'aria-invalid': invalid,
  'aria-describedby': describedBy,
})

const flag: InputOf = ({ id, label, value, onChange, disabled, describedBy }) => (
  <Switch
    id={id}
    aria-label={label}
    aria-describedby={describedBy}
    disabled={disabled}
    checked={value === true}
    onChange={onChange}
  />
)
const line =
  (max: number): InputOf =>
  (props) => (
    <Input
      {...shared(props)}
      count={{ show: true, max }}
      value={typeof props.value === 'string' ? props.value : ''}
      onChange={(event) => props.onChange(event.target.value)}
    />
  )
const figure =
  (unit: 'minutes' | 'hours' | 'days' | 'gib'): InputOf =>
  (props) => (
    <span className="setting-figure">
      <InputNumber
        {...shared(props)}
        precision={0}
        value={typeof props.value === 'number' ? props.value : null}
        onChange={props.onChange}
      />
      <span className="quiet">{props.t(`config.unit.${unit}`)}</span>
    </span>
  )
const paragraphs: InputOf = (props) => <LanguagesInput {...props} max={configLimits.agreement} long />

/** How each setting is entered. Exhaustive: a setting the contract gains does not compile until it has an input. */
const inputOf: Record<SettingName, InputOf> = {
  title: (props) => <LanguagesInput {...props} max={configLimits.title} />,
  defaultLanguage: (props) => (
    <Select
      {...shared(props)}
      className="setting-choice"
      value={props.value}
      onChange={props.onChange}
      options={configShape.defaultLanguage.options.map((value) => ({ value, label: languageNames[value] }))}
    />
  ),
  showOnlineCount: flag,
  serviceAgreement: paragraphs,
  privacyPolicy: paragraphs,
  sessionIdleMinutes: figure('minutes'),
  sessionAbsoluteHours: figure('hours'),
  lockMinutes: figure('minutes'),
  passwordProfile: (props) => (
    <Radio.Group
      id={props.id}
      className="setting-profiles"
      aria-label={props.label}
      disabled={props.disabled}
      value={props.value}
      onChange={(event) => props.onChange(event.target.value)}
      options={configShape.passwordProfile.options.map((value) => ({
        value,
        label: (
          <>
            {props.t(`config.option.passwordProfile.${value}`)}
            <span className="setting-explain">{props.t(`config.explain.passwordProfile.${value}`)}</span>
          </>
        ),
      }))}
    />
  ),
  passwordMaxAgeDays: figure('days'),
  mapVariant: (props) => (
    <Select
      {...shared(props)}
      className="setting-choice"
      value={props.value}
      onChange={props.onChange}
      options={configShape.mapVariant.options.map((value) => ({
        value,
        label: props.t(`config.option.mapVariant.${value}`),
      }))}
    />
  ),
  signSecret: flag,
  allowPrivateServer: flag,
  smsWebhook: (props) => <KeyInput {...props} />,
  trustedIssuer: line(configLimits.issuer),
  trustedIssuerKey: (props) => <KeyInput {...props} />,
  trustedIssuerDepartmentId: (props) => (
    <DepartmentPicker
      id={props.id}
      label={props.label}
      value={typeof props.value === 'number' ? props.value : null}
      onChange={props.onChange}
      disabled={props.disabled}
      invalid={props.invalid}
    />
  ),
  exportKeepDays: figure('days'),
  enterpriseFilesGb: figure('gib'),
}

export const SettingInput = (props: SettingInputProps) => inputOf[props.name](props)
