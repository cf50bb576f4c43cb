import { Alert } from 'antd'
import { useTranslation } from 'react-i18next'
import { warnFromDay } from '../../../shell/session/passwordAge.ts'
import { useSession } from '../../../shell/session/session.ts'

/** The password has run out, or is about to. Says nothing otherwise. */
export function PasswordBanner() {
  const { t } = useTranslation()
  const user = useSession(({ session }) => session?.user)
  if (user?.isExpired === true)
    return <Alert type="error" showIcon title={t('personal.expired.title')} description={t('personal.expired.text')} />
  if (user === undefined || user.passwordAgeDays < warnFromDay) return null
  return <Alert type="warning" showIcon title={t('personal.expired.soon', { count: user.passwordAgeDays })} />
}
