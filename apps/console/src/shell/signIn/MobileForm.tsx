import { isApiError } from '@campanile/client'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../api.ts'
import { describeError } from '../errorText.ts'
import { useRuntime } from '../runtime.ts'
import { Agreement } from './Agreement.tsx'
import { CaptchaField } from './CaptchaField.tsx'
import { Field } from './Field.tsx'
import { type LoginAnswer, useArrival } from './useArrival.ts'
import { useCaptcha } from './useCaptcha.ts'

const mobilePattern = /^1[3-9]\d{9}$/
const waitSeconds = 60

type Faults = { mobile?: string; code?: string; smsCode?: string; agreed?: string; form?: string }

export function MobileForm() {
  const { t } = useTranslation()
  const configured = useRuntime((runtime) => runtime.mobileLogin)
  return configured ? <ConfiguredMobileForm /> : <p className="way-off">{t('signIn.mobileOff')}</p>
}

/** A code by SMS; the picture stands before the sending, so that nobody floods a stranger's phone. */
function ConfiguredMobileForm() {
  const { t } = useTranslation()
  const arrive = useArrival()
  const { captcha, renew } = useCaptcha()
  const { left, start } = useCountdown()
  const [mobile, setMobile] = useState('')
  const [code, setCode] = useState('')
  const [smsCode, setSmsCode] = useState('')
  const [agreed, setAgreed] = useState(false)
  const [faults, setFaults] = useState<Faults>({})
  const [busy, setBusy] = useState(false)
  const codeInput = useRef<HTMLInputElement>(null)

  const mobileFault = mobilePattern.test(mobile.trim()) ? {} : { mobile: t('signIn.mobileWrong') }

  const attempt = async (found: Faults, work: () => Promise<void>) => {
    setFaults(found)
    if (busy || Object.keys(found).length > 0) return
    setBusy(true)
    try {
      await work()
    } catch (error) {
      if (!isApiError(error)) throw error
      setFaults({ form: describeError(error).text })
      setCode('')
      void renew()
    } finally {
      setBusy(false)
    }
  }

  const send = () =>
    attempt(
      { ...mobileFault, ...(captcha.state !== 'off' && code.trim() === '' && { code: t('signIn.codeRequired') }) },
      async () => {
        const uuid = captcha.state === 'shown' ? captcha.uuid : ''
        const body = { uuid, code: code.trim(), mobile: mobile.trim() }
        await api.call('POST', '/api/v1/login/smsCode', { body })
        start()
      },
    )

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const found = {
      ...mobileFault,
      ...(/^\d{6}$/.test(smsCode.trim()) ? {} : { smsCode: t('signIn.sixDigits') }),
      ...(!agreed && { agreed: t('signIn.agreementRequired') }),
    }
    return attempt(found, async () => {
      const body = { mobile: mobile.trim(), code: smsCode.trim() }
      arrive(await api.call<LoginAnswer>('POST', '/api/v1/login/sms', { body }), mobile.trim())
    })
  }

  return (
    <form onSubmit={submit} noValidate className="sign-in-form">
      {faults.form !== undefined && (
        <p className="form-error" role="alert">
          {faults.form}
        </p>
      )}
      <Field
        label={t('signIn.mobile')}
        name="mobile"
        type="tel"
        autoComplete="tel-national"
        value={mobile}
        onChange={(event) => setMobile(event.target.value)}
        error={faults.mobile}
      />
      <CaptchaField
        captcha={captcha}
        renew={renew}
        value={code}
        onChange={setCode}
        error={faults.code}
        inputRef={codeInput}
      />
      <Field
        label={t('signIn.smsCode')}
        name="smsCode"
        inputMode="numeric"
        autoComplete="one-time-code"
        value={smsCode}
        onChange={(event) => setSmsCode(event.target.value)}
        error={faults.smsCode}
        beside={
          <button type="button" className="secondary" disabled={left > 0} onClick={send}>
            {left > 0 ? t('signIn.sendAgain', { seconds: left }) : t('signIn.send')}
          </button>
        }
      />
      <Agreement agreed={agreed} onChange={setAgreed} error={faults.agreed} />
      <button type="submit" className="primary" aria-busy={busy}>
        {t(busy ? 'signIn.busy' : 'signIn.submit')}
      </button>
    </form>
  )
}

function useCountdown() {
  const [left, setLeft] = useState(0)
  useEffect(() => {
    if (left === 0) return
    const timer = setTimeout(() => setLeft(left - 1), 1_000)
    return () => clearTimeout(timer)
  }, [left])
  return { left, start: () => setLeft(waitSeconds) }
}
