import { Skeleton } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { describeError } from '../../shell/errorText.ts'

interface Props {
  seen: { readonly data: unknown; readonly error: unknown; readonly busy: boolean }
  /** What is still to be said before anybody can tell who is hit. */
  missing: string | undefined
  children: ReactNode
}

/** What would come of it as things stand now; what is still missing, or why it cannot be told. */
export function PreviewSide({ seen: { data, error, busy }, missing, children }: Props) {
  const { t } = useTranslation()
  const ready = missing === undefined
  const failure = ready && error ? describeError(error) : undefined
  return (
    <section className="compose-right" aria-label={t('compose.preview')} data-busy={busy}>
      <div className="compose-head">
        <h3>{t('compose.preview')}</h3>
        {ready && data !== undefined && (
          <span className="quiet">{t(busy ? 'compose.checking' : 'compose.checked')}</span>
        )}
      </div>
      {missing !== undefined && <p className="card compose-unsure">{missing}</p>}
      {failure && (
        <div className="card field-error" role="alert">
          <strong>{failure.title}</strong> {failure.text}
        </div>
      )}
      {ready && data === undefined && !failure && <Skeleton active title={false} paragraph={{ rows: 4 }} />}
      {ready && data !== undefined && children}
    </section>
  )
}
