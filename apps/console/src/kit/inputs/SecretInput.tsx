import type { InputProps } from './inputs.tsx'
import { NewSecret } from './NewSecret.tsx'

/** A secret of a row. Blank on edit means unchanged. */
export function SecretInput({ generate, ...props }: InputProps & { generate?: () => string }) {
  const { id, name, value, onChange, onBlur, repeat, onRepeat, invalid, disabled, describedBy, reader, row } = props
  return (
    <NewSecret
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
      {...(generate === undefined ? {} : { generate })}
    />
  )
}
