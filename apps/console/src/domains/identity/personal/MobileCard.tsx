import type { Profile } from '@campanile/contract/identity'
import { Alert, Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { StateMark } from '../../../kit/index.ts'
import { later } from '../../../shell/later.tsx'
import { useRuntime } from '../../../shell/runtime.ts'
import { useRefreshProfile } from './useProfile.ts'

const ChangeMobile = later(async () => (await import('./MobileDialogs.tsx')).ChangeMobile)
const RemoveMobile = later(async () => (await import('./MobileDialogs.tsx')).RemoveMobile)

/** The own mobile number: what it is, whether it signs in, and every way to change that. */
export function MobileCard({ profile }: { profile: Profile }) {
  const { t } = useTranslation()
  const refresh = useRefreshProfile()
  const canSend = useRuntime((runtime) => runtime.mobileLogin)
  const [dialog, setDialog] = useState<'change' | 'remove'>()
  const { mobile, mobileConfirmed: confirmed } = profile
  const handlers = { onClose: () => setDialog(undefined), onChanged: () => void refresh() }
  return (
    <section className="panel" aria-labelledby="mobile-title">
      <div className="panel-head">
        <h2 id="mobile-title">{t('personal.mobile.title')}</h2>
        {mobile !== null && <span className="mono">{mobile}</span>}
        {mobile !== null && (
          <StateMark tone={confirmed ? 'good' : 'warning'}>
            {t(confirmed ? 'personal.mobile.confirmed' : 'personal.mobile.unconfirmed')}
          </StateMark>
        )}
      </div>
      <p className="panel-lead">{t('personal.mobile.lead')}</p>
      {!canSend && <Alert type="info" showIcon title={t('personal.mobile.noGateway')} />}
      <div className="form-buttons">
        <Button {...ChangeMobile.near} disabled={!canSend} onClick={() => setDialog('change')}>
          {t(
            mobile === null ? 'personal.mobile.add' : confirmed ? 'personal.mobile.change' : 'personal.mobile.confirm',
          )}
        </Button>
        {mobile !== null && (
          <Button {...RemoveMobile.near} danger onClick={() => setDialog('remove')}>
            {t('personal.mobile.remove')}
          </Button>
        )}
      </div>
      {dialog === 'change' && <ChangeMobile start={confirmed ? '' : (mobile ?? '')} {...handlers} />}
      {dialog === 'remove' && <RemoveMobile {...handlers} />}
    </section>
  )
}
