import { useTranslation } from 'react-i18next'
import { notify, showError } from '../feedback.ts'
import { Icon } from '../icons.tsx'
import { useLive } from '../live.ts'
import { NotificationDrawer, openNotifications } from './drawerState.ts'
import { newestTitle, useNotificationActions, useUnreadCount } from './notifications.ts'

export function NotificationBell() {
  const { t } = useTranslation()
  const unread = useUnreadCount()
  const { renew } = useNotificationActions()

  useLive('notification', ({ kind }) => {
    void renew()
    if (kind === 'export') void newestTitle('export').then((title) => title && notify.exportEnded(title), showError)
  })

  return (
    <button
      {...NotificationDrawer.near}
      type="button"
      className="icon-button bell"
      aria-label={
        unread === 0 ? t('shell.notifications.title') : t('shell.notifications.unreadCount', { count: unread })
      }
      onClick={openNotifications}
    >
      <Icon name="alert" />
      {unread > 0 && <span className="bell-dot" />}
    </button>
  )
}
