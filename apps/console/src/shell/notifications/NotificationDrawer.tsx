import { Button, Drawer, Empty, Select, Skeleton, Switch } from 'antd'
import dayjs from 'dayjs'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { describeError } from '../errorText.ts'
import { showError } from '../feedback.ts'
import { Icon, type IconName } from '../icons.tsx'
import { closeNotifications } from './drawerState.ts'
import {
  type NotificationEntry,
  type NotificationType,
  notificationTypes,
  useNotificationActions,
  useNotifications,
  useUnreadCount,
} from './notifications.ts'
import './notifications.css'

const iconOf: Record<NotificationType, IconName> = {
  export: 'file',
  import: 'file',
  task: 'task',
  alert: 'alert',
  announcement: 'announcement',
  error: 'close',
}

/** Everything that was said: by the server, and here while this window was open. */
export function NotificationDrawer({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Drawer
      open={open}
      onClose={onClose}
      title={t('shell.notifications.title')}
      size={420}
      mask={false}
      destroyOnHidden
    >
      <Centre />
    </Drawer>
  )
}

function Centre() {
  const { t } = useTranslation()
  const [type, setType] = useState<NotificationType>()
  const [unreadOnly, setUnreadOnly] = useState(false)
  const { rows, pages } = useNotifications(unreadOnly, type)
  const { markRead, clear } = useNotificationActions()
  const unread = useUnreadCount()

  return (
    <div className="notifications">
      <div className="notifications-tools">
        <Select
          allowClear
          placeholder={t('shell.notifications.allTypes')}
          aria-label={t('shell.notifications.type')}
          value={type ?? null}
          options={notificationTypes.map((value) => ({ value, label: t(`shell.notifications.types.${value}`) }))}
          onChange={(value) => setType(value ?? undefined)}
        />
        {/* biome-ignore lint/a11y/noLabelWithoutControl: the switch inside is the control */}
        <label className="notifications-unread">
          <Switch checked={unreadOnly} onChange={setUnreadOnly} /> {t('shell.notifications.unreadOnly')}
        </label>
        {unread > 0 && (
          <Button size="small" type="text" onClick={() => markRead().catch(showError)}>
            {t('shell.notifications.markAllRead')}
          </Button>
        )}
        {rows.length > 0 && (
          <Button size="small" type="text" onClick={() => clear().catch(showError)}>
            {t('shell.notifications.clear')}
          </Button>
        )}
      </div>
      {pages.isPending && <Skeleton active />}
      {pages.isError && <p role="alert">{describeError(pages.error).text}</p>}
      <ul>
        {rows.map((row) => (
          <Line key={row.id} row={row} onRead={() => markRead([row.id]).catch(showError)} />
        ))}
      </ul>
      {!pages.isPending && rows.length === 0 && (
        <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={t('shell.notifications.none')} />
      )}
      {pages.hasNextPage && (
        <Button block loading={pages.isFetchingNextPage} onClick={() => pages.fetchNextPage()}>
          {t('shell.notifications.more')}
        </Button>
      )}
    </div>
  )
}

function Line({ row, onRead }: { row: NotificationEntry; onRead: () => void }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const open = () => {
    if (!row.read) onRead()
    if (typeof row.link !== 'string' || row.link === '') return
    closeNotifications()
    navigate(row.link)
  }
  return (
    <li className="notification" data-read={row.read} data-type={row.type}>
      <button type="button" onClick={open}>
        <Icon name={iconOf[row.type]} />
        <span className="notification-words">
          <strong>{row.title ?? t(`shell.notifications.types.${row.type}`)}</strong>
          <span>{row.text}</span>
          <time dateTime={row.createTime}>{dayjs(row.createTime).format('YYYY-MM-DD HH:mm')}</time>
        </span>
        {!row.read && <span className="notification-new">{t('shell.notifications.unread')}</span>}
      </button>
    </li>
  )
}
