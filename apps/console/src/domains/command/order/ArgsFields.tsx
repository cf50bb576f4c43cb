import { secretArgs } from '@campanile/contract'
import { Input } from 'antd'
import type { ReactNode } from 'react'
import { FormField } from '../../../kit/form/FormDrawer.tsx'
import type { InputProps } from '../../../kit/inputs/inputs.tsx'
import type { ArgsForm } from './useArgsForm.ts'

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
const time = (props: InputProps) => <Input {...shared(props)} type="time" />
const own: Readonly<Record<string, (props: InputProps) => ReactNode>> = {
  ...Object.fromEntries(secretArgs.map((name) => [name, password])),
  off: time,
  on: time,
}

export const argFieldId = (base: string, name: string) => `${base}-${name}`

/** One field an argument, as the contract declares them. */
export function ArgsFields({ base, form }: { base: string; form: ArgsForm }) {
  return form.names.map((name) => (
    <FormField key={name} id={argFieldId(base, name)} name={name} form={form} own={own[name]} />
  ))
}
