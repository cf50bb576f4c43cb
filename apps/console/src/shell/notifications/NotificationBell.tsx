import { useTranslation } from 'react-i18next'
import { toast } from '../feedback.ts'
import { Icon } from '../icons.tsx'
import { useLive } from '../live.ts'
import { NotificationDrawer, openNotifications } from './drawerState.ts'
import { useNotificationActions, useUnreadCount } from './notifications.ts'

export function NotificationBell() {
  const { t } = useTranslation()
  const unread = useUnreadCount()
  const { renew } = useNotificationActions()

  useLive('notification', ({ title }) => {
    void renew()
    if (typeof title === 'string') toast.info(title)
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
