import { passwordWarningDays } from '@campanile/contract/identity'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Icon } from '../icons.tsx'
import { useSession } from '../session/session.ts'

/** A word before the password runs out; closed, it stays away until the page is loaded again. */
export function PasswordBanner() {
  const { t } = useTranslation()
  const user = useSession((state) => state.session?.user)
  const [closed, setClosed] = useState(false)
  if (user === undefined || user.isExpired || user.passwordDaysLeft > passwordWarningDays || closed) return null
  return (
    <p className="banner" role="status">
      {t('shell.password.soon', { count: user.passwordDaysLeft })}
      <Link to="/personal?tab=security">{t('shell.password.change')}</Link>
      <button type="button" className="icon-button" aria-label={t('signIn.close')} onClick={() => setClosed(true)}>
        <Icon name="close" size={14} />
      </button>
    </p>
  )
}
