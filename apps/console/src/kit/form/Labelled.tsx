import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

interface Props {
  id: string
  label: string
  error?: string | undefined
  help?: ReactNode
  required?: boolean
  children: (state: { id: string; 'aria-invalid': boolean; 'aria-describedby': string | undefined }) => ReactNode
}

/** A field of a form that is no resource: label above, error and help below, as the kit's forms have it. */
export function Labelled({ id, label, error, help, required = false, children }: Props) {
  const { t } = useTranslation()
  const described = [help !== undefined && `${id}-help`, error !== undefined && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className="field" data-invalid={error !== undefined}>
      <label htmlFor={id}>
        {label}
        {required && (
          <span className="required" title={t('kit.form.required')}>
            *
          </span>
        )}
      </label>
      {children({ id, 'aria-invalid': error !== undefined, 'aria-describedby': described || undefined })}
      {error !== undefined && (
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
