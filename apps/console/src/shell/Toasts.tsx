import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { dismissNotice, type Notice, type NoticeAction, useNotices } from './feedback.ts'
import './toasts.css'

/** Messages at the corner. Errors interrupt a screen reader, the rest wait; pointing or focusing stops the clock. */
export function Toasts() {
  const { t } = useTranslation()
  const notices = useNotices((state) => state.notices)
  return (
    <section className="toasts" aria-label={t('signIn.notices')}>
      {notices.map((notice) => (
        <Toast key={notice.id} notice={notice} />
      ))}
    </section>
  )
}

function Toast({ notice }: { notice: Notice }) {
  const { t } = useTranslation()
  const { hold, release } = useExpiry(notice)
  const close = () => dismissNotice(notice.id)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: pointing at it only stops its clock
    <div
      className={`toast toast-${notice.tone}`}
      role={notice.tone === 'error' ? 'alert' : 'status'}
      onMouseEnter={hold}
      onMouseLeave={release}
      onFocus={hold}
      onBlur={release}
    >
      <div className="toast-words">
        {notice.title !== undefined && <strong>{notice.title}</strong>}
        {notice.text !== '' && <p>{notice.text}</p>}
        {notice.action !== undefined && <Action action={notice.action} done={close} />}
      </div>
      <button type="button" className="toast-close" aria-label={t('signIn.close')} onClick={close}>
        ×
      </button>
    </div>
  )
}

function Action({ action, done }: { action: NoticeAction; done: () => void }) {
  if ('to' in action) {
    return (
      <Link to={action.to} onClick={done}>
        {action.label}
      </Link>
    )
  }
  return (
    <button
      type="button"
      className="toast-action"
      onClick={() => {
        action.run()
        done()
      }}
    >
      {action.label}
    </button>
  )
}

/** The clock runs only while nobody looks at the message. */
function useExpiry({ id, lastsMs }: Notice) {
  const [held, setHeld] = useState(false)
  const left = useRef(lastsMs ?? 0)
  useEffect(() => {
    if (lastsMs === undefined || held) return
    const since = Date.now()
    const timer = setTimeout(() => dismissNotice(id), left.current)
    return () => {
      clearTimeout(timer)
      left.current -= Date.now() - since
    }
  }, [id, lastsMs, held])
  return { hold: () => setHeld(true), release: () => setHeld(false) }
}
