import { useTranslation } from 'react-i18next'
import { useConnection } from '../connection.ts'

/** Says that what is shown may be old, and goes by itself. It lies over the header, so that nothing moves when it comes. */
export function OfflineBanner() {
  const { t } = useTranslation()
  const state = useConnection((connection) => connection.state)
  if (state === 'online') return null
  return (
    <p className="banner offline-banner" role="status">
      {t(`shell.connection.${state}`)}
    </p>
  )
}
