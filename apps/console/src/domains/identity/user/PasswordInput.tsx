import type { InputProps } from '../../../kit/inputs/inputs.tsx'
import { NewPassword } from '../password/NewPassword.tsx'

export function PasswordInput(props: InputProps) {
  const { id, name, value, onChange, onBlur, repeat, onRepeat, invalid, disabled, describedBy, reader, row } = props
  return (
    <NewPassword
      id={id}
      label={reader.field(name)}
      value={String(value ?? '')}
      repeat={repeat}
      onChange={onChange}
      onRepeat={onRepeat}
      onBlur={onBlur}
      invalid={invalid}
      disabled={disabled}
      describedBy={describedBy}
      {...(row === undefined ? {} : { placeholder: reader.t('kit.secret.unchanged') })}
      generate
    />
  )
}
