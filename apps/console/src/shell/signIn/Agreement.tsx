import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'

type AgreementProps = { agreed: boolean; onChange: (agreed: boolean) => void; error?: string | undefined }

/** What the text has between `<service>` and `</service>` leads to that page. */
function linked(part: string): ReactNode {
  const [, tab, words] = /^<(\w+)>(.*)<\/\1>$/.exec(part) ?? []
  if (tab === undefined) return part
  return (
    <a key={tab} href={`/privacy?tab=${tab}`} target="_blank" rel="noopener">
      {words}
    </a>
  )
}

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
          {t('signIn.agreement')
            .split(/(<service>.*<\/service>|<privacy>.*<\/privacy>)/)
            .map(linked)}
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
