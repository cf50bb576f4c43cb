import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { describeError } from '../shell/errorText.ts'

/** What should be here could not be read: the code, what to do, and the way to try again. */
export function Failed({ error, onRetry }: { error: unknown; onRetry: () => unknown }) {
  const { t } = useTranslation()
  const { title, text } = describeError(error)
  return (
    <div className="list-state" role="alert">
      <strong>{title}</strong>
      <p>{text}</p>
      <Button onClick={() => onRetry()}>{t('kit.list.retry')}</Button>
    </div>
  )
}
