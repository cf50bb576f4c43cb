import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../../kit/CopyButton.tsx'
import './order.css'

const pretty = (text: string) => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    // Cut off, or a reason in plain words.
    return text
  }
}

/** Something a machine said, laid out for a person. */
export function Json({ text }: { text: string }) {
  const { t } = useTranslation()
  const shown = pretty(text)
  return (
    <div className="json-block">
      <pre className="order-json">{shown}</pre>
      <CopyButton text={shown} label={t('command.copy')} />
    </div>
  )
}
