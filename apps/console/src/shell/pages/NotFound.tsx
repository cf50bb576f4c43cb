import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { Message } from './Message.tsx'

export default function NotFound() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [params] = useSearchParams()
  return (
    <Message
      kind="notFound"
      detail={params.get('path') ?? undefined}
      actions={<Button onClick={() => navigate(-1)}>{t('shell.back')}</Button>}
    />
  )
}
