import { ReloadOutlined } from '@ant-design/icons'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../CopyButton.tsx'
import { SecretRules } from './SecretRules.tsx'

interface Props {
  id: string
  label: string
  value: string
  repeat: string
  onChange: (value: string) => void
  onRepeat: (value: string) => void
  onBlur: () => void
  invalid: boolean
  disabled?: boolean
  describedBy?: string | undefined
  placeholder?: string
  /** For somebody else's secret, which has to be handed over; one's own is thought up or comes from a manager. */
  generate?: () => string
}

/** A new secret typed twice, its rules ticked off while typing. A generated one is shown, so that it can be handed on. */
export function NewSecret(props: Props) {
  const { id, label, value, repeat, onChange, onRepeat, onBlur, invalid, disabled = false, generate } = props
  const { t } = useTranslation()
  const [visible, setVisible] = useState(false)
  const [generated, setGenerated] = useState('')
  const shared = {
    disabled,
    onBlur,
    autoComplete: 'new-password',
    'aria-invalid': invalid,
    ...(invalid ? { status: 'error' as const } : {}),
    visibilityToggle: { visible, onVisibleChange: setVisible },
  }
  const make = (generate: () => string) => {
    const made = generate()
    setGenerated(made)
    setVisible(true)
    onChange(made)
    onRepeat(made)
  }
  const again = t('kit.secret.repeat', { label })
  return (
    <div className="secret-input">
      <Input.Password
        {...shared}
        id={id}
        className="mono"
        aria-label={label}
        aria-describedby={[`${id}-rules`, props.describedBy].filter(Boolean).join(' ')}
        {...(props.placeholder === undefined ? {} : { placeholder: props.placeholder })}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      {generate !== undefined && (
        <div className="secret-buttons">
          <Button icon={<ReloadOutlined />} disabled={disabled} onClick={() => make(generate)}>
            {t('kit.secret.generate')}
          </Button>
          {generated !== '' && generated === value && <CopyButton text={generated} label={t('kit.secret.copy')} />}
        </div>
      )}
      {(value !== '' || props.placeholder === undefined) && (
        <>
          <SecretRules id={`${id}-rules`} secret={value} />
          <label htmlFor={`${id}-repeat`}>{again}</label>
          <Input.Password
            {...shared}
            id={`${id}-repeat`}
            className="mono"
            value={repeat}
            onChange={(event) => onRepeat(event.target.value)}
          />
        </>
      )}
    </div>
  )
}
