import { useTranslation } from 'react-i18next'
import { timeText } from '../../kit/time.ts'
import { useServing } from '../../shell/serving.ts'
import './notServed.css'

/** Said wherever a presence is shown, for as long as nobody can know it. */
export function NotServed() {
  const { t } = useTranslation()
  const since = useServing(({ notServedSince }) => notServedSince)
  if (since === null) return null
  return (
    <div className="not-served" role="alert">
      <strong>{t('device.notServed.title', { time: timeText(new Date(since)) })}</strong>
      <p>{t('device.notServed.help')}</p>
    </div>
  )
}
