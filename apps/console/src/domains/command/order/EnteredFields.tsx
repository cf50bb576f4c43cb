import { secretArgs } from '@campanile/contract/command'
import { Input } from 'antd'
import dayjs from 'dayjs'
import type { ReactNode } from 'react'
import { FormField } from '../../../kit/form/FormDrawer.tsx'
import { TimePicker } from '../../../kit/inputs/calendars.ts'
import type { InputProps } from '../../../kit/inputs/input-props.ts'
import type { Entered } from './useEntered.ts'

const shared = ({ id, value, onChange, onBlur, disabled, invalid, describedBy, field }: InputProps) => ({
  id,
  disabled,
  onBlur,
  value: String(value ?? ''),
  onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  'aria-invalid': invalid,
  'aria-required': field.required,
  'aria-describedby': describedBy,
  ...(invalid ? { status: 'error' as const } : {}),
})
/** Sealed where it rests and never shown again, but seen while it is typed if wanted. */
const password = (props: InputProps) => <Input.Password {...shared(props)} autoComplete="new-password" />
const clock = 'HH:mm'
const time = ({ id, value, onChange, onBlur, disabled, invalid, reader, name }: InputProps) => (
  <TimePicker
    id={id}
    className="whole"
    format={clock}
    needConfirm={false}
    disabled={disabled}
    {...(invalid ? { status: 'error' as const } : {})}
    aria-label={reader.field(name)}
    value={typeof value === 'string' && value !== '' ? dayjs(`2000-01-01T${value}`) : null}
    onChange={(chosen) => onChange(chosen ? chosen.format(clock) : null)}
    onBlur={onBlur}
  />
)
const ownOfAll: Readonly<Record<string, (props: InputProps) => ReactNode>> = {
  ...Object.fromEntries(secretArgs.map((name) => [name, password])),
  off: time,
  on: time,
  powerOff: time,
  powerOn: time,
}

interface Props {
  form: Entered
  /** Inputs of the caller's own, by the names of their values. */
  own?: Readonly<Record<string, (props: InputProps) => ReactNode>>
}

/** One field a value, as the contract declares them. */
export function EnteredFields({ form, own = {} }: Props) {
  return form.names.map((name) => (
    <FormField key={name} id={form.fieldOf(name)} name={name} form={form} own={own[name] ?? ownOfAll[name]} />
  ))
}
