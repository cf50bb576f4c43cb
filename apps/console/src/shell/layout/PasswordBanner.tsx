import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { Icon } from '../icons.tsx'
import { warnFromDay } from '../session/passwordAge.ts'
import { useSession } from '../session/session.ts'

/** A word before the password runs out; closed, it stays away until the page is loaded again. */
export function PasswordBanner() {
  const { t } = useTranslation()
  const user = useSession((state) => state.session?.user)
  const [closed, setClosed] = useState(false)
  const { pathname } = useLocation()
  const isDue = user !== undefined && !user.isExpired && user.passwordAgeDays >= warnFromDay
  // The personal centre says it itself, beside the form that helps.
  if (!isDue || closed || pathname === '/personal') return null
  return (
    <p className="banner" role="status">
      {t('personal.expired.soon', { count: user.passwordAgeDays })}
      <Link to="/personal?tab=security">{t('shell.changePassword')}</Link>
      <button type="button" className="icon-button" aria-label={t('signIn.close')} onClick={() => setClosed(true)}>
        <Icon name="close" size={14} />
      </button>
    </p>
  )
}
