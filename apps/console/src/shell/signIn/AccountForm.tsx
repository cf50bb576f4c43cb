import i18next from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../api.ts'
import { CaptchaField } from './CaptchaField.tsx'
import { Field, PasswordField } from './Field.tsx'
import { SignInForm } from './SignInForm.tsx'
import type { LoginAnswer } from './useArrival.ts'
import { useSignInForm } from './useSignInForm.ts'

const longest = 128

/** Account and password. Complexity is never judged here: only what is empty or too long is refused. */
export function AccountForm() {
  const { t } = useTranslation()
  const form = useSignInForm()
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')

  const submit = () => {
    const found = {
      ...(username.trim() === '' && { username: () => i18next.t('signIn.usernameRequired') }),
      ...(username.length > longest && { username: () => i18next.t('signIn.tooLong', { max: longest }) }),
      ...(password === '' && { password: () => i18next.t('signIn.passwordRequired') }),
      ...(password.length > longest && { password: () => i18next.t('signIn.tooLong', { max: longest }) }),
      ...form.codeFault,
      ...form.agreementFault,
    }
    const signIn = async () => {
      const body = { ...form.proof, username: username.trim(), password }
      form.arrive(await api.call<LoginAnswer>('POST', '/api/v1/login', { body }), username.trim())
    }
    void form.attempt(found, signIn, 'password')
  }

  return (
    <SignInForm form={form} onSubmit={submit}>
      <Field
        label={t('signIn.username')}
        name="username"
        autoComplete="username"
        autoCapitalize="off"
        spellCheck={false}
        value={username}
        onChange={(event) => setUsername(event.target.value)}
        error={form.faults.username}
      />
      <PasswordField
        label={t('signIn.password')}
        name="password"
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        error={form.faults.password}
      />
      <CaptchaField {...form.captcha} />
    </SignInForm>
  )
}
