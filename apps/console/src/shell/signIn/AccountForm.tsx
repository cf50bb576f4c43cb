import { type ApiError, isApiError } from '@campanile/client'
import { type FormEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../api.ts'
import { describeError } from '../errorText.ts'
import { Agreement } from './Agreement.tsx'
import { CaptchaField } from './CaptchaField.tsx'
import { Field, PasswordField } from './Field.tsx'
import { type LoginAnswer, useArrival } from './useArrival.ts'
import { useCaptcha } from './useCaptcha.ts'

const longest = 128
const wrongCaptcha = 21001

type Faults = { username?: string; password?: string; code?: string; agreed?: string; form?: string }

/** Account and password. Complexity is never judged here: only what is empty or too long is refused. */
export function AccountForm() {
  const { t } = useTranslation()
  const arrive = useArrival()
  const { captcha, renew } = useCaptcha()
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [agreed, setAgreed] = useState(false)
  const [faults, setFaults] = useState<Faults>({})
  const [busy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const codeInput = useRef<HTMLInputElement>(null)
  const passwordInput = useRef<HTMLInputElement>(null)

  const check = (): Faults => ({
    ...(username.trim() === '' && { username: t('signIn.usernameRequired') }),
    ...(username.length > longest && { username: t('signIn.tooLong', { max: longest }) }),
    ...(password === '' && { password: t('signIn.passwordRequired') }),
    ...(password.length > longest && { password: t('signIn.tooLong', { max: longest }) }),
    ...(captcha.state !== 'off' && code.trim() === '' && { code: t('signIn.codeRequired') }),
    ...(!agreed && { agreed: t('signIn.agreementRequired') }),
  })

  const refuse = (error: ApiError) => {
    setCode('')
    void renew()
    if (error.code === wrongCaptcha) {
      setFaults({ code: describeError(error).text })
      codeInput.current?.focus()
      return
    }
    setFaults({ form: describeError(error).text })
    passwordInput.current?.select()
  }

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    const found = check()
    setFaults(found)
    const first = Object.keys(found)[0]
    if (first !== undefined) {
      form.current?.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus()
      return
    }
    setBusy(true)
    try {
      const uuid = captcha.state === 'shown' ? captcha.uuid : ''
      const body = { uuid, code: code.trim(), username: username.trim(), password }
      arrive(await api.call<LoginAnswer>('POST', '/api/v1/login', { body }), username.trim())
    } catch (error) {
      if (isApiError(error)) refuse(error)
      else throw error
    } finally {
      setBusy(false)
    }
  }

  return (
    <form ref={form} onSubmit={submit} noValidate className="sign-in-form">
      {faults.form !== undefined && (
        <p className="form-error" role="alert">
          {faults.form}
        </p>
      )}
      <Field
        label={t('signIn.username')}
        name="username"
        autoComplete="username"
        autoCapitalize="off"
        spellCheck={false}
        value={username}
        onChange={(event) => setUsername(event.target.value)}
        error={faults.username}
      />
      <PasswordField
        label={t('signIn.password')}
        name="password"
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        error={faults.password}
        inputRef={passwordInput}
      />
      <CaptchaField
        captcha={captcha}
        renew={renew}
        value={code}
        onChange={setCode}
        error={faults.code}
        inputRef={codeInput}
      />
      <Agreement agreed={agreed} onChange={setAgreed} error={faults.agreed} />
      <button type="submit" className="primary" aria-busy={busy}>
        {t(busy ? 'signIn.busy' : 'signIn.submit')}
      </button>
    </form>
  )
}
