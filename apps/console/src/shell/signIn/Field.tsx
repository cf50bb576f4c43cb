import { type ComponentProps, type ReactNode, type Ref, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'

type FieldProps = Omit<ComponentProps<'input'>, 'id' | 'ref'> & {
  label: string
  error?: string | undefined
  inputRef?: Ref<HTMLInputElement>
  /** Beside the input: the picture, the send button. */
  beside?: ReactNode
}

/** A labelled plain input with its error; password managers and paste work because nothing interferes. */
export function Field({ label, error, inputRef, beside, ...input }: FieldProps) {
  const id = useId()
  return (
    <div className="sign-in-field">
      <label htmlFor={id}>{label}</label>
      <div className="field-line">
        <input
          {...input}
          id={id}
          ref={inputRef}
          aria-invalid={error !== undefined}
          aria-describedby={error === undefined ? undefined : `${id}-error`}
        />
        {beside}
      </div>
      {error !== undefined && (
        <p className="sign-in-error" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
    </div>
  )
}

/** A password with a way to look at it. */
export function PasswordField(props: FieldProps) {
  const { t } = useTranslation()
  const [shown, setShown] = useState(false)
  const toggle = (
    <button type="button" className="field-inside" aria-pressed={shown} onClick={() => setShown(!shown)}>
      {t(shown ? 'signIn.hide' : 'signIn.show')}
    </button>
  )
  return <Field {...props} type={shown ? 'text' : 'password'} beside={toggle} />
}
