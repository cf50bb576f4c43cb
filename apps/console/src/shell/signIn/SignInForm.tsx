import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Agreement } from './Agreement.tsx'
import type { useSignInForm } from './useSignInForm.ts'

interface Props {
  form: ReturnType<typeof useSignInForm>
  onSubmit: () => void
  children: ReactNode
}

/** The frame of a way to sign in: what went wrong, its fields, the agreement, the button. */
export function SignInForm({ form, onSubmit, children }: Props) {
  const { t } = useTranslation()
  return (
    <form
      ref={form.element}
      noValidate
      className="sign-in-form"
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {form.faults.form !== undefined && (
        <p className="form-error" role="alert">
          {form.faults.form}
        </p>
      )}
      {children}
      <Agreement {...form.agreement} />
      <button type="submit" className="primary" aria-busy={form.busy}>
        {t(form.busy ? 'signIn.busy' : 'signIn.submit')}
      </button>
    </form>
  )
}
