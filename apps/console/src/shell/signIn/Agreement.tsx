import { useId } from 'react'
import { Trans, useTranslation } from 'react-i18next'

type AgreementProps = { agreed: boolean; onChange: (agreed: boolean) => void; error?: string | undefined }

const pageOf = (tab: 'service' | 'privacy') => ({ href: `/privacy?tab=${tab}`, target: '_blank', rel: 'noopener' })

/** Must be ticked before anyone signs in, whichever way. */
export function Agreement({ agreed, onChange, error }: AgreementProps) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <div className="sign-in-field">
      <div className="agreement">
        <input
          type="checkbox"
          className="agreement-box"
          id={id}
          name="agreed"
          checked={agreed}
          onChange={(event) => onChange(event.target.checked)}
          aria-invalid={error !== undefined}
          aria-describedby={error === undefined ? undefined : `${id}-error`}
        />
        <label htmlFor={id}>
          <Trans
            t={t}
            i18nKey="signIn.agreement"
            components={{
              service: <a {...pageOf('service')} />,
              privacy: <a {...pageOf('privacy')} />,
            }}
          />
        </label>
      </div>
      {error !== undefined && (
        <p className="sign-in-error" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
    </div>
  )
}
