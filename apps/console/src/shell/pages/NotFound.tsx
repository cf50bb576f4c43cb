import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { useSession } from '../session/session.ts'
import { Message } from './Message.tsx'

export default function NotFound() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [params] = useSearchParams()
  // Another organisation has other screens and other rows: what is not here may well be at home.
  const operating = useSession((state) => state.session?.user.operating)
  return (
    <Message
      kind="notFound"
      note={operating ? t('shell.notFound.operating', { name: operating.departmentName }) : undefined}
      detail={params.get('path') ?? undefined}
      actions={<Button onClick={() => navigate(-1)}>{t('shell.back')}</Button>}
    />
  )
}
