import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { openOrganisationSwitcher } from '../organisations/switcherState.ts'
import { Message } from './Message.tsx'

/** Names what is missing: the permission when the screen declares one, else the screen itself. */
export default function NoPermission() {
  const { t } = useTranslation()
  const [params] = useSearchParams()
  const detail = [params.get('perm'), params.get('path')].filter((part) => part !== null).join(' · ')
  return (
    <Message
      kind="noPermission"
      detail={detail}
      actions={<Button onClick={openOrganisationSwitcher}>{t('shell.organisation.switch')}</Button>}
    />
  )
}
