import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

interface Props {
  id: string
  label: string
  /** Says how the input wants to be placed. */
  kind?: string
  error?: string | undefined
  help?: ReactNode
  required?: boolean
  children: (state: { id: string; 'aria-invalid': boolean; 'aria-describedby': string | undefined }) => ReactNode
}

/** A field of any form: label above, error and help below, tied to the input for those who do not see it. */
export function Labelled({ id, label, kind, error, help, required = false, children }: Props) {
  const { t } = useTranslation()
  const invalid = error !== undefined
  const described = [help !== undefined && `${id}-help`, invalid && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div
      id={`${id}-field`}
      className={kind === undefined ? 'field' : `field field-${kind}`}
      data-invalid={error !== undefined}
    >
      <label htmlFor={id}>
        {label}
        {required && (
          <span className="required" title={t('kit.form.required')}>
            *
          </span>
        )}
      </label>
      {children({ id, 'aria-invalid': invalid, 'aria-describedby': described || undefined })}
      {invalid && (
        <div id={`${id}-error`} className="field-error" role="alert">
          {error}
        </div>
      )}
      {help !== undefined && (
        <div id={`${id}-help`} className="field-help">
          {help}
        </div>
      )}
    </div>
  )
}
