import type { Field, FieldKind } from '@campanile/contract/kit'
import { Checkbox, ColorPicker, Input, InputNumber, Radio, Select, Switch } from 'antd'
import dayjs from 'dayjs'
import { type ReactNode, useState } from 'react'
import { later } from '../../shell/later.tsx'
import type { Localised } from '../../shell/localised.ts'
import { FileInput } from '../files/FileInput.tsx'
import { DatePicker, TimePicker, takenAtOnce } from './calendars.ts'
import { DepartmentPicker } from './DepartmentPicker.tsx'
import type { InputProps } from './input-props.ts'
import { JsonInput } from './JsonInput.tsx'
import { RefPicker } from './RefPicker.tsx'
import { SecretInput } from './SecretInput.tsx'

/** Few forms take a large file. */
const UploadInput = later(async () => (await import('../upload/UploadInput.tsx')).UploadInput, ['upload'])

/** What every input is told, in the words of Ant Design. */
const shared = ({ id, onBlur, invalid, disabled, describedBy, field, name, reader }: InputProps) => ({
  id,
  onBlur,
  disabled,
  ...(invalid ? { status: 'error' as const } : {}),
  'aria-invalid': invalid,
  'aria-required': field.required,
  'aria-describedby': describedBy,
  'aria-label': reader.field(name),
})
/** The same for pickers of our own. */
const ofPicker = ({ id, name, reader, onChange, onBlur, disabled, invalid, describedBy }: InputProps) => ({
  id,
  label: reader.field(name),
  onChange,
  onBlur,
  disabled,
  invalid,
  describedBy,
})
const fieldOf = ({ resource, name }: InputProps) => ({ resource, name })
const textOf = (value: unknown) => (value === null || value === undefined ? '' : String(value))
const counter = ({ max }: Field) => (max === undefined ? {} : { count: { show: true, max } })
const list = (value: unknown) => (Array.isArray(value) ? value : []) as (string | number)[]

const line = (props: InputProps) => (
  <Input
    {...shared(props)}
    {...counter(props.field)}
    className={props.field.kind === 'mono' ? 'mono' : undefined}
    value={textOf(props.value)}
    onChange={(event) => props.onChange(event.target.value)}
  />
)

const mobile = (props: InputProps) => (
  <Input
    {...shared(props)}
    inputMode="tel"
    autoComplete="off"
    maxLength={props.field.max}
    value={textOf(props.value)}
    onChange={(event) => props.onChange(event.target.value.trim())}
  />
)

const paragraph = (props: InputProps) => (
  <Input.TextArea
    {...shared(props)}
    {...counter(props.field)}
    autoSize={{ minRows: 3, maxRows: 12 }}
    value={textOf(props.value)}
    onChange={(event) => props.onChange(event.target.value)}
  />
)

/** One entry a line; commas and blanks people paste count as line ends. */
function Lines(props: InputProps) {
  const split = (text: string) => text.split(/[\s,;，；]+/).filter(Boolean)
  const held = list(props.value).join('\n')
  const [text, setText] = useState(held)
  return (
    <Input.TextArea
      {...shared(props)}
      className="mono"
      spellCheck={false}
      autoSize={{ minRows: 2, maxRows: 8 }}
      // What was typed, until the value is another than that: then it was changed from outside.
      value={split(text).join('\n') === held ? text : held}
      onChange={(event) => {
        setText(event.target.value)
        props.onChange(split(event.target.value))
      }}
    />
  )
}

const few = 4
const choice = (props: InputProps) => {
  const options = (props.field.options ?? []).map((value) => ({ value, label: props.reader.option(props.name, value) }))
  // What may stay open must be able to become so again, which radio buttons cannot.
  return options.length <= few && props.field.required ? (
    <Radio.Group
      id={props.id}
      disabled={props.disabled}
      aria-label={props.reader.field(props.name)}
      value={props.value}
      onChange={(event) => props.onChange(event.target.value)}
      options={options}
    />
  ) : (
    <Select
      {...shared(props)}
      className="whole"
      allowClear={!props.field.required}
      value={props.value ?? undefined}
      onChange={(value) => props.onChange(value ?? null)}
      options={options}
    />
  )
}

const fromTable = (props: InputProps, mode?: 'multiple') => (
  <Select
    {...shared(props)}
    className="whole"
    {...(mode ? { mode } : {})}
    allowClear={!props.field.required}
    showSearch={{ optionFilterProp: 'label' }}
    value={mode ? list(props.value) : (props.value ?? undefined)}
    onChange={(value) => props.onChange(value ?? null)}
    options={codes(props).map((code) => ({ value: code, label: props.reader.code(props.name, code) }))}
  />
)
/** A code that has been switched off stays readable where it is still used. */
const codes = ({ reader, name, value }: InputProps) => {
  const known = reader.codesOf(name)
  return [
    ...known,
    ...list(Array.isArray(value) ? value : [value]).filter((code) => typeof code === 'number' && !known.includes(code)),
  ]
}

/** A year with a 29 February, so that every day of every year can be chosen and read back. */
const leapYear = '2028-'

const day = (format: string) => (props: InputProps) => {
  const timed = format.includes('HH')
  const yearly = !format.includes('YYYY')
  const kept = (time: dayjs.Dayjs) => (timed ? time.toISOString() : time.format(format))
  const take = (time: dayjs.Dayjs | null) => props.onChange(time ? kept(time) : null)
  return (
    <DatePicker
      id={props.id}
      className="whole"
      disabled={props.disabled}
      {...(props.invalid ? { status: 'error' as const } : {})}
      {...(yearly ? { defaultPickerValue: dayjs(`${leapYear}01-01`) } : {})}
      allowClear={!props.field.required}
      format={format}
      showTime={timed ? { format: 'HH:mm' } : false}
      value={props.value ? dayjs(`${yearly ? leapYear : ''}${props.value}`) : null}
      onChange={take}
      {...takenAtOnce(take)}
      onBlur={props.onBlur}
    />
  )
}

function LocationInput(props: InputProps) {
  const place = (props.value ?? {}) as { latitude?: number | null; longitude?: number | null }
  const change = (part: object) => {
    const { latitude = null, longitude = null } = { ...place, ...part }
    props.onChange(latitude === null && longitude === null ? null : { latitude, longitude })
  }
  return (
    <div className="location-input">
      {(['latitude', 'longitude'] as const).map((part, at) => (
        <InputNumber
          key={part}
          {...shared(props)}
          id={at === 0 ? props.id : `${props.id}-${part}`}
          aria-label={`${props.reader.field(props.name)} · ${props.reader.t(`kit.input.${part}`)}`}
          placeholder={props.reader.t(`kit.input.${part}`)}
          precision={6}
          value={place[part] ?? null}
          onChange={(value) => change({ [part]: value })}
        />
      ))}
    </div>
  )
}

const languages = ['en', 'zh-cn', 'zh-tw'] as const
const names = (props: InputProps) => {
  const value = (props.value ?? {}) as Localised
  const change = (key: keyof Localised, text: string) => {
    const next = { ...value, [key]: text }
    props.onChange(languages.every((each) => !next[each]) ? null : next)
  }
  return (
    <div className="names-input">
      {languages.map((key, index) => (
        <Input
          key={key}
          {...shared(props)}
          id={index === 0 ? props.id : `${props.id}-${key}`}
          aria-label={`${props.reader.field(props.name)} · ${props.reader.t(`kit.language.${key}`)}`}
          prefix={<span className="quiet">{props.reader.t(`kit.language.${key}`)}</span>}
          {...counter(props.field)}
          value={value[key] ?? ''}
          onChange={(event) => change(key, event.target.value)}
        />
      ))}
    </div>
  )
}

/** Groups and objects are entered in ways their domain knows: a form with one gives it through the `inputs` slot. */
const bySlot = () => null

/** How each kind of value is entered. A kind that is missing here does not compile. */
export const inputs: Readonly<Record<FieldKind, (props: InputProps) => ReactNode>> = {
  text: line,
  mono: line,
  url: line,
  mobile,
  longText: paragraph,
  ipList: (props) => <Lines {...props} />,
  lines: (props) => <Lines {...props} />,
  json: (props) => <JsonInput {...props} />,
  number: (props) => (
    <InputNumber
      {...shared(props)}
      className="whole"
      precision={0}
      value={props.value as number | null}
      onChange={props.onChange}
    />
  ),
  decimal: (props) => (
    <InputNumber
      {...shared(props)}
      className="whole"
      precision={props.field.digits ?? 2}
      value={props.value as number | null}
      onChange={props.onChange}
    />
  ),
  // People write whole units; hundredths are kept.
  money: (props) => (
    <InputNumber
      {...shared(props)}
      className="whole"
      precision={2}
      value={typeof props.value === 'number' ? props.value / 100 : null}
      onChange={(amount) => props.onChange(typeof amount === 'number' ? Math.round(amount * 100) : null)}
    />
  ),
  switch: (props) => (
    <Switch
      id={props.id}
      disabled={props.disabled}
      aria-label={props.reader.field(props.name)}
      checked={props.value === true}
      onChange={props.onChange}
    />
  ),
  choice,
  choices: (props) => (
    <Checkbox.Group
      disabled={props.disabled}
      value={list(props.value)}
      onChange={props.onChange}
      options={(props.field.options ?? []).map((value) => ({ value, label: props.reader.option(props.name, value) }))}
    />
  ),
  dictionary: (props) => fromTable(props),
  dictionaries: (props) => fromTable(props, 'multiple'),
  ref: (props) =>
    props.field.place ? (
      <DepartmentPicker
        {...ofPicker(props)}
        value={props.value as number | null}
        nameNow={props.value === props.row?.[props.name] ? nameOf(props) : undefined}
      />
    ) : (
      <RefPicker {...ofPicker(props)} {...fieldOf(props)} value={(props.value ?? null) as number | null} />
    ),
  refs: (props) => (
    <RefPicker {...ofPicker(props)} {...fieldOf(props)} multiple value={list(props.value) as number[]} />
  ),
  date: day('YYYY-MM-DD'),
  timestamp: day('YYYY-MM-DD HH:mm'),
  timeOfDay: (props) => {
    const take = (time: dayjs.Dayjs | null) => props.onChange(time ? time.format('HH:mm') : null)
    return (
      <TimePicker
        id={props.id}
        className="whole"
        disabled={props.disabled}
        {...(props.invalid ? { status: 'error' as const } : {})}
        allowClear={!props.field.required}
        format="HH:mm"
        value={props.value ? dayjs(`${leapYear}01-01T${props.value}`) : null}
        onChange={take}
        {...takenAtOnce(take)}
        onBlur={props.onBlur}
      />
    )
  },
  weekdays: (props) => (
    <Checkbox.Group
      disabled={props.disabled}
      value={list(props.value)}
      onChange={(days) => props.onChange(days.length > 0 ? days : null)}
      options={[1, 2, 3, 4, 5, 6, 7].map((day) => ({ value: day, label: props.reader.weekday(day) }))}
    />
  ),
  location: (props) => <LocationInput {...props} />,
  monthDay: day('MM-DD'),
  secret: (props) => <SecretInput {...props} />,
  names,
  colour: (props) => (
    <ColorPicker
      showText={(colour) => (props.value ? colour.toHexString() : <span className="quiet">–</span>)}
      disabledAlpha
      disabled={props.disabled}
      allowClear={!props.field.required}
      value={textOf(props.value) || null}
      onChange={(colour) => props.onChange(colour.cleared ? null : colour.toHexString())}
    />
  ),
  masked: (props) => (
    <Input.Password
      {...shared(props)}
      autoComplete="off"
      {...(props.row === undefined ? {} : { placeholder: props.reader.t('kit.secret.unchanged') })}
      value={textOf(props.value)}
      onChange={(event) => props.onChange(event.target.value)}
    />
  ),
  file: (props) => <FileInput {...props} />,
  image: (props) => <FileInput {...props} />,
  group: bySlot,
  upload: (props) => <UploadInput {...props} />,
  object: bySlot,
}

const nameOf = ({ row, field }: InputProps): string | undefined => {
  const name = field.nameField === undefined ? undefined : row?.[field.nameField]
  return typeof name === 'string' ? name : undefined
}
