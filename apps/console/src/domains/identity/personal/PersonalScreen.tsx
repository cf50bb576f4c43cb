import { user } from '@campanile/contract/identity'
import { Skeleton, Tabs } from 'antd'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { Failed } from '../../../kit/Failed.tsx'
import { Time, useReader } from '../../../kit/index.ts'
import { Page } from '../../../shell/Page.tsx'
import { useSession } from '../../../shell/session/session.ts'
import { MobileCard } from './MobileCard.tsx'
import { PasswordBanner } from './PasswordBanner.tsx'
import { PasswordForm } from './PasswordForm.tsx'
import { PhotoField } from './PhotoField.tsx'
import { ProfileForm } from './ProfileForm.tsx'
import { SessionsCard } from './SessionsCard.tsx'
import { TwoFactorCard } from './TwoFactorCard.tsx'
import { useProfile } from './useProfile.ts'
import '../identity.css'

/** Who I am, and how I prove it. With an expired password there is one thing to do here and nothing else. */
export default function PersonalScreen() {
  const { t } = useTranslation()
  const [params, setParams] = useSearchParams()
  const expired = useSession(({ session }) => session?.user.isExpired) === true
  const { data: profile, error, refetch } = useProfile()
  const tab = expired || params.get('tab') === 'security' ? 'security' : 'profile'

  const body =
    error !== null && profile === undefined ? (
      <Failed error={error} onRetry={() => void refetch()} />
    ) : profile === undefined ? (
      <Skeleton active className="panel" />
    ) : undefined
  return (
    <Page title={t('personal.title')} {...(profile === undefined ? {} : { sub: profile.username })}>
      {expired && <PasswordBanner />}
      <Tabs
        activeKey={tab}
        onChange={(next) => setParams(next === 'profile' ? {} : { tab: next })}
        items={[
          {
            key: 'profile',
            label: t('personal.tab.profile'),
            disabled: expired,
            children: body ?? (
              <section className="panel narrow-panel">
                {profile && <PhotoField profile={profile} />}
                {profile && <ProfileForm key={profile.uid} profile={profile} />}
              </section>
            ),
          },
          {
            key: 'security',
            label: t('personal.tab.security'),
            children: (
              <div className="panel-stack">
                <section className="panel narrow-panel" aria-labelledby="password-title">
                  <div className="panel-head">
                    <h2 id="password-title">{t('personal.password.title')}</h2>
                  </div>
                  {profile && <PasswordAge since={profile.passwordChangedAt} />}
                  <PasswordForm forced={expired} />
                </section>
                {!expired && (body ?? (profile && <TwoFactorCard profile={profile} />))}
                {!expired && profile && <MobileCard profile={profile} />}
                {!expired && <SessionsCard />}
              </div>
            ),
          },
        ]}
      />
    </Page>
  )
}

function PasswordAge({ since }: { since: string }) {
  const { t } = useTranslation()
  const reader = useReader(user)
  return (
    <p className="panel-lead">
      {t('personal.password.changedAt')} <Time value={since} reader={reader} />
    </p>
  )
}
