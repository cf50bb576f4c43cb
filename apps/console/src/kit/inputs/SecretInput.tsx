import { Input } from 'antd'
import { useRuntime } from '../../shell/runtime.ts'
import { secretHints } from '../form/secretPolicy.ts'
import type { InputProps } from './inputs.tsx'

/** Typed twice, shown on demand, with the rules ticked off while typing. Blank on edit means unchanged. */
export function SecretInput({
  id,
  name,
  value,
  onChange,
  onBlur,
  invalid,
  disabled,
  describedBy,
  reader,
  row,
  ...props
}: InputProps) {
  const { t } = reader
  const profile = useRuntime((runtime) => runtime.passwordProfile)
  const secret = String(value ?? '')
  const status = invalid ? { status: 'error' as const } : {}
  return (
    <div className="secret-input">
      <Input.Password
        id={id}
        autoComplete="new-password"
        disabled={disabled}
        {...status}
        aria-invalid={invalid}
        aria-describedby={[`${id}-rules`, describedBy].filter(Boolean).join(' ')}
        placeholder={row ? t('kit.secret.unchanged') : ''}
        value={secret}
        onChange={(event) => onChange(event.target.value)}
        onBlur={onBlur}
      />
      {(secret !== '' || !row) && (
        <>
          <ul id={`${id}-rules`} className="secret-rules">
            {secretHints(profile, secret).map(({ name: rule, holds, limits }) => (
              <li key={rule} data-holds={holds}>
                {holds ? '✓' : '○'} {t(`kit.secret.${rule}`, limits)}
              </li>
            ))}
          </ul>
          <Input.Password
            id={`${id}-repeat`}
            autoComplete="new-password"
            disabled={disabled}
            {...status}
            aria-label={t('kit.secret.repeat', { label: reader.field(name) })}
            placeholder={t('kit.secret.repeat', { label: reader.field(name) })}
            value={props.repeat}
            onChange={(event) => props.onRepeat(event.target.value)}
            onBlur={onBlur}
          />
        </>
      )}
    </div>
  )
}
