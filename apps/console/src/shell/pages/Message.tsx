import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { Page } from '../Page.tsx'
import './message.css'

type MessageProps = {
  kind: keyof typeof texts
  /** What exactly: the wrong path, the missing permission. */
  detail?: string | undefined
  /** What may be the reason. */
  note?: string | undefined
  onRetry?: (() => void) | undefined
  actions?: ReactNode
}

const texts = {
  notFound: 'message.pageNotFound',
  noPermission: 'message.notAuthorised',
  notAvailable: 'shell.notAvailable.text',
  broken: 'shell.broken.text',
} as const

/** A page that is a message: what happened and what to do next. */
export function Message({ kind, detail, note, onRetry, actions }: MessageProps) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  return (
    <Page title={t(`shell.${kind}.title`)}>
      <section className="message">
        <p>{t(texts[kind])}</p>
        {note !== undefined && <p>{note}</p>}
        {detail !== undefined && detail !== '' && <p className="message-detail mono">{detail}</p>}
        <div className="message-actions">
          {onRetry !== undefined && (
            <Button type="primary" onClick={onRetry}>
              {t('shell.retry')}
            </Button>
          )}
          <Button type={onRetry === undefined ? 'primary' : 'default'} onClick={() => navigate('/home')}>
            {t('shell.backHome')}
          </Button>
          {actions}
        </div>
      </section>
    </Page>
  )
}
