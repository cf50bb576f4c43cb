import { Alert } from 'antd'
import { useTranslation } from 'react-i18next'

/** Nothing else opens until the password is new (behaviour: sign-in.password-age). The warning before that is the shell's, on every page. */
export function PasswordBanner() {
  const { t } = useTranslation()
  return <Alert type="error" showIcon title={t('personal.expired.title')} description={t('personal.expired.text')} />
}
