import { useTranslation } from 'react-i18next'
import { QrCode } from '../../kit/QrCode.tsx'
import type { SetUp } from '../session/pendingLogin.ts'

/** What the app has to learn, as a picture and in letters. */
export function SetUpSecret({ secret, uri }: SetUp) {
  const { t } = useTranslation()
  return (
    <div className="sign-in-secret">
      <QrCode text={uri} label={t('signIn.setUpPicture')} />
      <p>{t('signIn.setUpType')}</p>
      <p className="mono">{(secret.match(/.{1,4}/g) ?? []).join(' ')}</p>
    </div>
  )
}
