import { isApiError, isPartialSuccess } from '@campanile/client'
import { importFeedback } from '@campanile/contract/codes'
import i18next from 'i18next'
import { create } from 'zustand'
import { reportNoAnswer } from './connection.ts'
import { describeError } from './errorText.ts'
import { isGranted } from './granted.ts'
import { dropOldestExport, keepEntry } from './notifications/kept.ts'

export type Tone = 'success' | 'info' | 'warning' | 'error'

export type NoticeAction = { label: string } & ({ to: string } | { run: () => void })

/** One message at the corner of the screen. Without `lastsMs` it stays until closed. */
export type Notice = {
  id: number
  tone: Tone
  title?: string | undefined
  text: string
  lastsMs?: number | undefined
  action?: NoticeAction | undefined
  /** Of an export that runs; what comes of it takes this one's place. */
  exporting?: boolean | undefined
}

// Toasts last 3 s, the partial-success notice 10 s, the export notice 8 s (behaviour: console.notices).
const toastMs = 3_000
const partialMs = 10_000
const exportMs = 8_000

export const useNotices = create<{ notices: readonly Notice[] }>(() => ({ notices: [] }))

let nextId = 1

function show(notice: Omit<Notice, 'id'>): number {
  const id = nextId++
  useNotices.setState(({ notices }) => ({ notices: [...notices, { ...notice, id }].slice(-5) }))
  return id
}

export const dismissNotice = (id: number): void =>
  useNotices.setState(({ notices }) => ({ notices: notices.filter((notice) => notice.id !== id) }))

const plain = (tone: Tone) => (text: string) => void show({ tone, text, lastsMs: toastMs })

export const toast = { success: plain('success'), info: plain('info'), warning: plain('warning') }

/** Whoever may not see the files is not sent there; the notification itself has the download. */
const toFiles = () =>
  isGranted('iot:files:list') ? { label: i18next.t('shell.notice.openFiles'), to: '/IOT/files/list' } : undefined

export const notify = {
  /** A message with something to do about it. */
  offer: (text: string, action: NoticeAction, lastsMs?: number) => void show({ tone: 'info', text, action, lastsMs }),

  /** An export runs in the background; its result appears among the files. */
  export: ({ fileName }: { fileName?: string | undefined } = {}) => {
    const text =
      fileName === undefined
        ? i18next.t('shell.notice.exportStarted')
        : i18next.t('shell.notice.exportNamed', { fileName })
    const action = toFiles()
    show({ tone: 'success', text, lastsMs: exportMs, action, exporting: true })
    keepEntry({ type: 'export', text, link: action?.to })
  },

  /** The server tells of an export that has ended, and keeps that itself: it stands where "started" stood. */
  exportEnded: (text: string) => {
    const started = useNotices.getState().notices.find(({ exporting }) => exporting)
    if (started) dismissNotice(started.id)
    dropOldestExport()
    show({ tone: 'info', text, lastsMs: exportMs, action: toFiles() })
  },

  /** 100028: part of it worked. The list is left as it is; the data says what did not. */
  partial: (data: unknown) => {
    toast.success(i18next.t('shell.notice.partialDone'))
    const title = i18next.t('shell.notice.partialTitle')
    const text = listing(data)
    show({ tone: 'info', title, text, lastsMs: partialMs })
    keepEntry({ type: 'task', title, text })
  },

  /** 30000: feedback about an import stands until it is closed. */
  importFeedback: ({ message, download }: { message: string; download?: (() => void) | undefined }) => {
    const action = download && { label: i18next.t('shell.notice.downloadFailed'), run: download }
    show({ tone: 'warning', title: i18next.t('shell.notice.importFeedback'), text: message, action })
    keepEntry({ type: 'import', text: message })
  },
}

/** The one way a failed call reaches the person: code in the title, what happened, kept in the notification centre. */
export function showError(error: unknown): void {
  // The session's end has its own single message, and a cancelled call was cancelled on purpose.
  if (isApiError(error) && (error.kind === 'session' || error.kind === 'aborted')) return
  if (isApiError(error) && error.kind === 'network') reportNoAnswer()
  const { title, text, link } = describeError(error)
  if (isPartialSuccess(error)) notify.partial(error.data)
  else if (isApiError(error) && error.code === importFeedback) notify.importFeedback({ message: text })
  else {
    show({ tone: 'error', title, text, lastsMs: toastMs, action: link && { label: link.label, to: link.to } })
    keepEntry({ type: 'error', title, text, link: link?.to })
  }
}

/** Said once when the session is over; stays while the page waits to reload. */
export const showSessionEnded = (): void => void show({ tone: 'warning', text: i18next.t('message.loggedOut') })

function listing(data: unknown): string {
  if (Array.isArray(data)) return data.map(listing).join('\n')
  if (typeof data === 'object' && data !== null) {
    return Object.entries(data)
      .map(([name, value]) => `${name}: ${listing(value)}`)
      .join('\n')
  }
  return data === undefined || data === null ? '' : String(data)
}
