import { useTranslation } from 'react-i18next'
import './order.css'
import '../task/task.css'

/** What was sent with a command; secrets were never kept where they could be read. */
export function CommandData({ args }: { args: Readonly<Record<string, unknown>> }) {
  const { t } = useTranslation()
  if (Object.keys(args).length === 0) return null
  return (
    <details className="command-data">
      <summary>{t('command.data')}</summary>
      <pre className="order-json">{JSON.stringify(args, null, 2)}</pre>
    </details>
  )
}
