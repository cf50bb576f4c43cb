import type { HomeAnnouncement } from '@campanile/contract/home'
import { announcement } from '@campanile/contract/system'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { SoftTag, usePermitted } from '../../kit/index.ts'
import { timeText } from '../../kit/time.ts'

/** Long enough for a paragraph; the rest is opened. */
const foldedLength = 240

export function Announcements({ rows }: { rows: HomeAnnouncement[] }) {
  const { t } = useTranslation()
  const mayList = usePermitted(announcement.perms.list)
  return (
    <section className="card">
      <header className="card-head">
        <h2>{t('home.announcements.title')}</h2>
        {mayList && <Link to="/system/announcement">{t('home.announcements.all')}</Link>}
      </header>
      {rows.length === 0 ? (
        <p className="card-empty">{t('home.announcements.empty')}</p>
      ) : (
        <ul className="announcements">
          {rows.map((row) => (
            <Announcement key={row.id} row={row} />
          ))}
        </ul>
      )}
    </section>
  )
}

function Announcement({ row }: { row: HomeAnnouncement }) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  const isLong = row.text.length > foldedLength
  const text = isLong && !open ? `${row.text.slice(0, foldedLength).trimEnd()}…` : row.text
  return (
    <li>
      <p className="announcement-title">
        {row.level === 'important' && <SoftTag tone="warning">{t('home.announcements.important')}</SoftTag>}
        {row.pinned && <SoftTag tone="accent">{t('home.announcements.pinned')}</SoftTag>}
        <strong>{row.title}</strong>
      </p>
      <p className="announcement-text">{text}</p>
      {isLong && (
        <button type="button" className="link-button" aria-expanded={open} onClick={() => setOpen(!open)}>
          {t(open ? 'home.announcements.less' : 'home.announcements.more')}
        </button>
      )}
      <p className="announcement-meta">
        {row.departmentName !== null && `${row.departmentName} · `}
        {timeText(new Date(row.createTime))}
        {row.validUntil !== null && ` · ${t('home.announcements.until', { time: timeText(new Date(row.validUntil)) })}`}
      </p>
    </li>
  )
}
