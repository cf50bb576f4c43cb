import { Alert } from 'antd'
import { useTranslation } from 'react-i18next'
import { timeText } from '../../kit/time.ts'
import { useServing } from '../../shell/serving.ts'

/** Said wherever a presence is shown, for as long as nobody can know it. */
export function NotServed() {
  const { t } = useTranslation()
  const since = useServing(({ notServedSince }) => notServedSince)
  if (since === null) return null
  return (
    <Alert
      type="error"
      showIcon
      title={t('device.notServed.title', { time: timeText(new Date(since)) })}
      description={t('device.notServed.help')}
    />
  )
}
