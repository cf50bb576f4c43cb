import { Input } from 'antd'
import { useTranslation } from 'react-i18next'
import { Labelled } from '../../../kit/form/Labelled.tsx'

interface Props {
  id: string
  label: string
  value: string
  error: string | undefined
  help?: string
  onChange: (code: string) => void
  onBlur: () => void
  /** Where a recovery code is taken as well, letters pass too. */
  recovery?: boolean
}

/** The code of the authenticator app; takes a paste with blanks and the phone's own suggestion. */
export function SixDigits({ id, label, value, error, help, onChange, onBlur, recovery = false }: Props) {
  const { t } = useTranslation()
  const kept = (text: string) => (recovery ? text.trim().slice(0, 32) : text.replace(/\D/g, '').slice(0, 6))
  return (
    <Labelled id={id} label={label} error={error} {...(help === undefined ? {} : { help })} required>
      {(state) => (
        <Input
          {...state}
          className="mono six-digits"
          inputMode={recovery ? 'text' : 'numeric'}
          autoComplete="one-time-code"
          spellCheck={false}
          placeholder={recovery ? '' : t('personal.twoFactor.placeholder')}
          {...(error === undefined ? {} : { status: 'error' as const })}
          value={value}
          onChange={(event) => onChange(kept(event.target.value))}
          onBlur={onBlur}
        />
      )}
    </Labelled>
  )
}
