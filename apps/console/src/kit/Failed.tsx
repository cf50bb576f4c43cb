import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { describeError } from '../shell/errorText.ts'

type Props = { error: unknown; onRetry: () => unknown; card?: boolean }

/** What should be here could not be read: the code, what to do, and the way to try again. */
export function Failed({ error, onRetry, card = false }: Props) {
  const { t } = useTranslation()
  const { title, text } = describeError(error)
  return (
    <div className={card ? 'list-state card' : 'list-state'} role="alert">
      <strong>{title}</strong>
      <p>{text}</p>
      <Button onClick={() => onRetry()}>{t('kit.list.retry')}</Button>
    </div>
  )
}
