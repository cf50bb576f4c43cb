import { DownloadOutlined } from '@ant-design/icons'
import { isApiError } from '@campanile/client'
import { fileErrors } from '@campanile/contract/file'
import { downloadFile } from '@campanile/contract/system'
import { Button, Drawer, Empty, Select, Skeleton, Switch } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { dayText, timeText } from '../../kit/time.ts'
import { saveBlob } from '../../kit/transfer/saveBlob.ts'
import { api } from '../api.ts'
import { describeError } from '../errorText.ts'
import { showError } from '../feedback.ts'
import { Icon, type IconName } from '../icons.tsx'
import { usePermission } from '../permissions.ts'
import { closeNotifications } from './drawerState.ts'
import { groupByDay, isExpired, type NotificationGroup } from './groups.ts'
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
          placeholder={t('notifications.allTypes')}
          aria-label={t('notifications.type')}
          value={type ?? null}
          options={notificationTypes.map((value) => ({ value, label: t(`notifications.types.${value}`) }))}
          onChange={(value) => setType(value ?? undefined)}
        />
        {/* biome-ignore lint/a11y/noLabelWithoutControl: the switch inside is the control */}
        <label className="notifications-unread">
          <Switch checked={unreadOnly} onChange={setUnreadOnly} /> {t('notifications.unreadOnly')}
        </label>
        {unread > 0 && (
          <Button size="small" type="text" onClick={() => markRead().catch(showError)}>
            {t('notifications.markAllRead')}
          </Button>
        )}
        {rows.length > 0 && (
          <Button size="small" type="text" onClick={() => clear().catch(showError)}>
            {t('notifications.clear')}
          </Button>
        )}
      </div>
      {pages.isPending && <Skeleton active />}
      {pages.isError && <p role="alert">{describeError(pages.error).text}</p>}
      {groupByDay(rows).map(({ day, groups }) => (
        <section key={day}>
          <h3 className="notifications-day">{dayWord(day, t)}</h3>
          <ul>
            {groups.map((group) => (
              <Group key={group.key} group={group} onRead={(ids) => markRead(ids).catch(showError)} />
            ))}
          </ul>
        </section>
      ))}
      {!pages.isPending && rows.length === 0 && (
        <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={t('notifications.none')} />
      )}
      {pages.hasNextPage && (
        <Button block loading={pages.isFetchingNextPage} onClick={() => pages.fetchNextPage()}>
          {t('notifications.more')}
        </Button>
      )}
    </div>
  )
}

const dayMs = 86_400_000
const dayWord = (day: string, t: (key: string) => string) => {
  if (day === dayText(new Date())) return t('notifications.today')
  return day === dayText(new Date(Date.now() - dayMs)) ? t('notifications.yesterday') : day
}

type OnRead = (ids: readonly (number | string)[]) => void

/** The newest of a kind; the others of that day behind it. */
function Group({ group: { rows }, onRead }: { group: NotificationGroup; onRead: OnRead }) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  const shown = open ? rows : rows.slice(0, 1)
  const hidden = rows.length - shown.length
  return (
    <>
      {shown.map((row) => (
        <Line key={row.id} row={row} onRead={onRead} />
      ))}
      {hidden > 0 && (
        <li className="notification-more">
          <button type="button" className="link-button" aria-expanded={open} onClick={() => setOpen(true)}>
            {t('notifications.alike', { count: hidden, title: rows[0]?.title })}
          </button>
        </li>
      )}
    </>
  )
}

function Line({ row, onRead }: { row: NotificationEntry; onRead: OnRead }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const open = () => {
    if (!row.read) onRead([row.id])
    if (typeof row.link !== 'string' || row.link === '') return
    closeNotifications()
    navigate(row.link)
  }
  return (
    <li className="notification" data-read={row.read} data-type={row.type}>
      <button type="button" onClick={open}>
        <Icon name={iconOf[row.type]} />
        <span className="notification-words">
          <strong>{row.title ?? t(`notifications.types.${row.type}`)}</strong>
          <span>{row.text}</span>
          <time dateTime={row.createTime}>{timeText(new Date(row.createTime)).slice(-5)}</time>
        </span>
        {!row.read && <span className="notification-new">{t('notifications.unread')}</span>}
      </button>
      {row.file && <FileButton file={row.file} onDone={() => !row.read && onRead([row.id])} />}
    </li>
  )
}

/** The file itself: it is fetched here and now, or said to be gone. */
function FileButton({ file, onDone }: { file: NonNullable<NotificationEntry['file']>; onDone: () => void }) {
  const { t } = useTranslation()
  const mayDownload = usePermission(downloadFile.perm)
  const [state, setState] = useState<'ready' | 'busy' | 'gone'>(isExpired(file, Date.now()) ? 'gone' : 'ready')
  if (!mayDownload) return null
  if (state === 'gone') return <p className="notification-file quiet">{t('notifications.expired')}</p>
  const fetchIt = async () => {
    setState('busy')
    try {
      const { blob, fileName } = await api.download(downloadFile.path, { query: { id: file.id } })
      saveBlob(blob, fileName)
      setState('ready')
      onDone()
    } catch (error) {
      setState(isGone(error) ? 'gone' : 'ready')
      if (!isGone(error)) showError(error)
    }
  }
  return (
    <p className="notification-file">
      <Button size="small" loading={state === 'busy'} icon={<DownloadOutlined />} onClick={fetchIt}>
        {t('notifications.download')}
      </Button>
      {file.until !== null && (
        <span className="quiet">{t('notifications.until', { time: timeText(new Date(file.until)) })}</span>
      )}
    </p>
  )
}

/** The file was removed, by its time or by somebody (205000). */
const isGone = (error: unknown) => isApiError(error) && error.code === fileErrors.exportGone.code
