import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { api } from '../api.ts'
import { showError, toast } from '../feedback.ts'
import { Page } from '../Page.tsx'
import { useSession } from '../session/session.ts'
import './message.css'

/** What a phone shows after scanning the sign-in picture: letting another browser in is a deliberate act. */
export default function ScanConfirm() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const user = useSession((state) => state.session?.user)
  const [busy, setBusy] = useState(false)

  const allow = async () => {
    setBusy(true)
    try {
      await api.call('POST', '/api/v1/oauth/scanLogin/confirm', { body: { code: params.get('code') ?? '' } })
      toast.success(t('shell.scan.done'))
      navigate('/home', { replace: true })
    } catch (error) {
      showError(error)
    } finally {
      setBusy(false)
    }
  }

  return (
    <Page title={t('shell.scan.title')}>
      <section className="message">
        <p>{t('shell.scan.text', { name: user?.realName ?? '' })}</p>
        {user?.operating != null && <p>{t('shell.scan.bound', { name: user.operating.departmentName })}</p>}
        <div className="message-actions">
          <Button type="primary" loading={busy} onClick={allow}>
            {t('shell.scan.allow')}
          </Button>
          <Button onClick={() => navigate('/home', { replace: true })}>{t('shell.scan.refuse')}</Button>
        </div>
      </section>
    </Page>
  )
}
