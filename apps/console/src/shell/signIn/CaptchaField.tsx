import { useTranslation } from 'react-i18next'
import { Field } from './Field.tsx'
import type { useCaptcha } from './useCaptcha.ts'

type CaptchaFieldProps = ReturnType<typeof useCaptcha> & {
  value: string
  onChange: (value: string) => void
  error?: string | undefined
}

/** Code and picture; the picture is a button, so mouse and keyboard both renew it. Nothing when it is switched off. */
export function CaptchaField({ captcha, renew, value, onChange, error }: CaptchaFieldProps) {
  const { t } = useTranslation()
  if (captcha.state === 'off') return null
  const picture = (
    <button type="button" className="captcha" onClick={renew} title={t('signIn.renew')} aria-label={t('signIn.renew')}>
      {captcha.state === 'shown' && <img src={captcha.image} alt="" />}
      {captcha.state === 'failed' && t('signIn.captchaFailed')}
      {captcha.state === 'loading' && <span className="captcha-wait" />}
    </button>
  )
  return (
    <Field
      label={t('signIn.code')}
      name="code"
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      error={error}
      beside={picture}
    />
  )
}
