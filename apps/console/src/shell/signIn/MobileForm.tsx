import i18next from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../api.ts'
import { useRuntime } from '../runtime.ts'
import { useCountdown } from '../useCountdown.ts'
import { CaptchaField } from './CaptchaField.tsx'
import { Field } from './Field.tsx'
import { SignInForm } from './SignInForm.tsx'
import type { LoginAnswer } from './useArrival.ts'
import { useSignInForm } from './useSignInForm.ts'

const mobilePattern = /^1[3-9]\d{9}$/

export function MobileForm() {
  const { t } = useTranslation()
  const configured = useRuntime((runtime) => runtime.mobileLogin)
  return configured ? <ConfiguredMobileForm /> : <p className="way-off">{t('signIn.mobileOff')}</p>
}

/** A code by SMS; the picture stands before the sending, so that nobody floods a stranger's phone. */
function ConfiguredMobileForm() {
  const { t } = useTranslation()
  const form = useSignInForm()
  const { left, start } = useCountdown()
  const [mobile, setMobile] = useState('')
  const [smsCode, setSmsCode] = useState('')
  const mobileFault = mobilePattern.test(mobile.trim()) ? {} : { mobile: () => i18next.t('signIn.mobileWrong') }

  const send = () =>
    form.attempt({ ...mobileFault, ...form.codeFault }, async () => {
      await api.call('POST', '/api/v1/login/smsCode', { body: { ...form.proof, mobile: mobile.trim() } })
      start()
    })

  const submit = () => {
    const found = {
      ...mobileFault,
      ...(/^\d{6}$/.test(smsCode.trim()) ? {} : { smsCode: () => i18next.t('signIn.sixDigits') }),
      ...form.agreementFault,
    }
    const signIn = async () => {
      const body = { mobile: mobile.trim(), code: smsCode.trim() }
      form.arrive(await api.call<LoginAnswer>('POST', '/api/v1/login/sms', { body }), mobile.trim())
    }
    void form.attempt(found, signIn, 'smsCode')
  }

  return (
    <SignInForm form={form} onSubmit={submit}>
      <Field
        label={t('signIn.mobile')}
        name="mobile"
        type="tel"
        autoComplete="tel-national"
        value={mobile}
        onChange={(event) => setMobile(event.target.value)}
        error={form.faults.mobile}
      />
      <CaptchaField {...form.captcha} />
      <Field
        label={t('signIn.smsCode')}
        name="smsCode"
        inputMode="numeric"
        autoComplete="one-time-code"
        value={smsCode}
        onChange={(event) => setSmsCode(event.target.value)}
        error={form.faults.smsCode}
        beside={
          <button type="button" className="secondary" disabled={left > 0} onClick={send}>
            {left > 0 ? t('signIn.sendAgain', { seconds: left }) : t('signIn.send')}
          </button>
        }
      />
    </SignInForm>
  )
}
