import { type Profile, user } from '@campanile/contract/identity'
import { Button, Drawer, Skeleton } from 'antd'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Failed } from '../../../kit/Failed.tsx'
import { SoftTag, StateMark, Time, useReader } from '../../../kit/index.ts'
import { Page } from '../../../shell/Page.tsx'
import { validityText } from '../user/validity.ts'
import { PhotoField } from './PhotoField.tsx'
import { ProfileForm } from './ProfileForm.tsx'
import { useProfile } from './useProfile.ts'
import '../identity.css'

/** Everything the console knows about me, and the few things I may change myself. */
export default function ProfileScreen() {
  const { t } = useTranslation()
  const [editing, setEditing] = useState(false)
  const { data: profile, error, refetch } = useProfile()
  return (
    <Page
      title={t('personal.profile.title')}
      {...(profile === undefined
        ? {}
        : {
            sub: profile.username,
            actions: (
              <Button type="primary" onClick={() => setEditing(true)}>
                {t('personal.profile.edit')}
              </Button>
            ),
          })}
    >
      {profile === undefined && error !== null && <Failed error={error} onRetry={() => void refetch()} />}
      {profile === undefined && error === null && <Skeleton active className="panel" />}
      {profile !== undefined && (
        <section className="panel narrow-panel">
          <PhotoField profile={profile} />
          <Facts profile={profile} />
        </section>
      )}
      {editing && profile !== undefined && (
        <Drawer open size={480} title={t('personal.profile.edit')} onClose={() => setEditing(false)}>
          <ProfileForm
            profile={profile}
            onSaved={() => setEditing(false)}
            aside={<Button onClick={() => setEditing(false)}>{t('kit.cancel')}</Button>}
          />
        </Drawer>
      )}
    </Page>
  )
}

function Facts({ profile }: { profile: Profile }) {
  const { t } = useTranslation()
  const reader = useReader(user)
  const nothing = <span className="nothing">–</span>
  const facts: [string, ReactNode][] = [
    [
      reader.field('username'),
      <span key="username" className="mono">
        {profile.username}
      </span>,
    ],
    [reader.field('realName'), profile.realName],
    [reader.field('departmentId'), profile.departmentName],
    [reader.field('roleIds'), profile.roleNames.join(reader.t('kit.value.comma')) || nothing],
    [reader.field('type'), <SoftTag key="type">{reader.option('type', profile.type)}</SoftTag>],
    [reader.field('sex'), reader.option('sex', profile.sex)],
    [reader.field('mobile'), profile.mobile ?? nothing],
    [reader.field('validEnd'), validityText(profile.validStart, profile.validEnd, t)],
    [
      reader.field('enable2fa'),
      <StateMark key="enable2fa" tone={profile.enable2fa ? 'good' : 'off'}>
        {t(profile.enable2fa ? 'personal.twoFactor.on' : 'personal.twoFactor.off')}
      </StateMark>,
    ],
    [
      reader.field('lastLogin'),
      profile.lastLogin === null ? (
        nothing
      ) : (
        <span key="lastLogin">
          <Time value={profile.lastLogin} reader={reader} />{' '}
          {profile.lastLoginIp !== null && <span className="mono">{profile.lastLoginIp}</span>}
        </span>
      ),
    ],
    [t('personal.password.changedAt'), <Time key="password" value={profile.passwordChangedAt} reader={reader} />],
  ]
  return (
    <dl className="facts">
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
