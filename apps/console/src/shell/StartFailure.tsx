import { useTranslation } from 'react-i18next'
import { useRouteError } from 'react-router'
import { describeError } from './errorText.ts'
import './startFailure.css'

/** The menu could not be loaded, or the console itself broke: say what, offer the only way on. */
export function StartFailure() {
  const { t } = useTranslation()
  const error = useRouteError()
  const { title, text } = describeError(error)
  return (
    <main className="start-failure" role="alert">
      <h1>{title}</h1>
      <p>{t('message.menuServiceError')}</p>
      <p>{text}</p>
      <button type="button" onClick={() => window.location.reload()}>
        {t('signIn.retry')}
      </button>
    </main>
  )
}
