import type { InputProps } from './input-props.ts'
import { NewSecret } from './NewSecret.tsx'

/** A secret of a row. Blank on edit means unchanged. */
export function SecretInput({ name, value, reader, row, ...props }: InputProps & { generate?: () => string }) {
  return (
    <NewSecret
      {...props}
      label={reader.field(name)}
      value={String(value ?? '')}
      {...(row === undefined ? {} : { placeholder: reader.t('kit.secret.unchanged') })}
    />
  )
}
