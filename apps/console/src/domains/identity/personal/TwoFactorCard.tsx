import type { Profile } from '@campanile/contract/identity'
import { Alert, Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { StateMark } from '../../../kit/index.ts'
import { later } from '../../../shell/later.tsx'
import { useRefreshProfile } from './useProfile.ts'

const EnableTwoFactor = later(async () => (await import('./EnableTwoFactor.tsx')).EnableTwoFactor)
const DisableTwoFactor = later(async () => (await import('./TwoFactorDialogs.tsx')).DisableTwoFactor)
const RenewRecoveryCodes = later(async () => (await import('./TwoFactorDialogs.tsx')).RenewRecoveryCodes)

const fewCodes = 3

/** The own second factor: whether it is on, and every way to change that. */
export function TwoFactorCard({ profile }: { profile: Profile }) {
  const { t } = useTranslation()
  const refresh = useRefreshProfile()
  const [dialog, setDialog] = useState<'enable' | 'disable' | 'renew'>()
  const { enable2fa: on, twoFactorAllowed: allowed, recoveryCodesLeft: left } = profile
  const handlers = { onClose: () => setDialog(undefined), onChanged: () => void refresh() }
  return (
    <section className="panel" aria-labelledby="two-factor-title">
      <div className="panel-head">
        <h2 id="two-factor-title">{t('personal.twoFactor.title')}</h2>
        <StateMark tone={on ? 'good' : 'off'}>{t(on ? 'personal.twoFactor.on' : 'personal.twoFactor.off')}</StateMark>
      </div>
      <p className="panel-lead">{t('personal.twoFactor.lead')}</p>
      {!allowed && <Alert type="info" showIcon title={t('error.21018')} />}
      {on && (
        <p className="panel-lead">
          <StateMark tone={left < fewCodes ? 'warning' : 'good'}>
            {t('personal.recovery.left', { count: left })}
          </StateMark>
        </p>
      )}
      <div className="form-buttons">
        {!on && (
          <Button {...EnableTwoFactor.near} disabled={!allowed} onClick={() => setDialog('enable')}>
            {t('personal.twoFactor.enable')}
          </Button>
        )}
        {on && (
          <>
            <Button {...RenewRecoveryCodes.near} onClick={() => setDialog('renew')}>
              {t('personal.recovery.renew')}
            </Button>
            <Button {...DisableTwoFactor.near} danger onClick={() => setDialog('disable')}>
              {t('personal.twoFactor.disable')}
            </Button>
          </>
        )}
      </div>
      {dialog === 'enable' && <EnableTwoFactor onClose={handlers.onClose} onEnabled={handlers.onChanged} />}
      {dialog === 'disable' && <DisableTwoFactor {...handlers} />}
      {dialog === 'renew' && <RenewRecoveryCodes {...handlers} />}
    </section>
  )
}
