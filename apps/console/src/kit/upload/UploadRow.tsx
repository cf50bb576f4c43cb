import { CloseOutlined, FolderOpenOutlined, PauseOutlined, PlayCircleOutlined, ReloadOutlined } from '@ant-design/icons'
import { isApiError } from '@campanile/client'
import { Button } from 'antd'
import type { TFunction } from 'i18next'
import { type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { describeError } from '../../shell/errorText.ts'
import { showError } from '../../shell/feedback.ts'
import { StateMark, type StateTone } from '../cells.tsx'
import { sizeText } from '../size.ts'
import { isSending, isThere, type UploadState, uploadMachine } from './machine.ts'
import { type Item, paceOfItem, sentBytes, shareOf } from './queue.ts'
import { spanText } from './spanText.ts'
import { goOn, uploads } from './uploads.ts'
import './upload.css'

const tones: Readonly<Record<UploadState, StateTone>> = {
  waiting: 'off',
  uploading: 'accent',
  success: 'good',
  failed: 'bad',
  instantPass: 'good',
  paused: 'warning',
  resumed: 'accent',
}

interface Props {
  item: Item
  /** What became of a file that is there. */
  children?: ReactNode
  /** Takes it off the list, after it has been given up. */
  onGone?: () => void
}

/** One file: how far it is, how fast, what keeps it, and what can be done about it. */
export function UploadRow({ item, children, onGone }: Props) {
  const { t, i18n } = useTranslation()
  const chooser = useRef<HTMLInputElement>(null)
  const { key, name, size, state, stand } = item
  const number = new Intl.NumberFormat(i18n.language)
  const reader = { number: (value: number) => number.format(value) }
  const percent = Math.floor(shareOf(item) * 100)
  const chooseAgain =
    stand === 'file' || (item.error instanceof Error && ['OtherFile', 'Unreadable'].includes(item.error.name))
  const cancel = () => {
    onGone?.()
    uploads.cancel(key).catch(showError)
  }
  const resume = async () => {
    if (!(await goOn(key))) chooser.current?.click()
  }
  return (
    <li className="upload-row" data-state={state}>
      <div className="upload-name">
        <strong title={name}>{name}</strong>
        <span className="quiet figure">{sizeText(size, reader)}</span>
      </div>
      <StateMark tone={tones[state]}>{t(`upload.state.${state}`)}</StateMark>
      <div className="upload-buttons">
        {uploadMachine.can(state, 'pause') && (
          <Button
            size="small"
            icon={<PauseOutlined />}
            onClick={() => uploads.pause(key)}
            aria-label={t('upload.pauseOne', { name })}
          >
            {t('upload.pause')}
          </Button>
        )}
        {state === 'paused' && !chooseAgain && (
          <Button
            size="small"
            icon={<PlayCircleOutlined />}
            onClick={resume}
            aria-label={t('upload.resumeOne', { name })}
          >
            {t('upload.resume')}
          </Button>
        )}
        {state === 'paused' && chooseAgain && (
          <Button
            size="small"
            icon={<FolderOpenOutlined />}
            onClick={resume}
            aria-label={t('upload.chooseAgainOne', { name })}
          >
            {t('upload.chooseAgain')}
          </Button>
        )}
        {state === 'failed' && (
          <Button
            size="small"
            icon={<ReloadOutlined />}
            onClick={() => (chooseAgain ? chooser.current?.click() : uploads.retry(key))}
            aria-label={t(chooseAgain ? 'upload.chooseAgainOne' : 'upload.retryOne', { name })}
          >
            {t(chooseAgain ? 'upload.chooseAgain' : 'upload.retry')}
          </Button>
        )}
        {!isThere(state) && (
          <Button size="small" icon={<CloseOutlined />} onClick={cancel} aria-label={t('upload.cancelOne', { name })}>
            {t('kit.cancel')}
          </Button>
        )}
      </div>
      {!isThere(state) && (
        <div
          className="upload-bar"
          role="progressbar"
          aria-label={t('upload.progressOf', { name })}
          aria-valuenow={percent}
          aria-valuemin={0}
          aria-valuemax={100}
        >
          <span style={{ width: `${shareOf(item) * 100}%` }} />
        </div>
      )}
      <p
        className={state === 'failed' ? 'upload-line field-error' : 'upload-line quiet'}
        role={state === 'failed' ? 'alert' : undefined}
      >
        {children ?? <Line item={item} percent={percent} reader={reader} />}
      </p>
      <input
        ref={chooser}
        type="file"
        hidden
        aria-label={t('upload.chooseAgainOne', { name })}
        onChange={({ target }) => {
          const [file] = target.files ?? []
          target.value = ''
          if (file && !uploads.choose(key, file)) showError(new Error(t('upload.otherFile', { name })))
        }}
      />
    </li>
  )
}

interface LineProps {
  item: Item
  percent: number
  reader: { readonly number: (value: number) => string }
}

/** What there is to say of it, in one line. */
function Line({ item, percent, reader }: LineProps) {
  const { t, i18n } = useTranslation()
  const { state, stand, size, read, sha256, standing, error, name } = item
  if (state === 'failed') return <>{faultText(error, name, t)}</>
  if (state === 'paused') return <>{t(`upload.stand.${stand ?? 'person'}`, { percent })}</>
  if (state === 'instantPass') return <>{t('upload.instant')}</>
  if (state === 'success') return <>{t('upload.there')}</>
  if (!isSending(state)) return <>{t('upload.waits')}</>
  if (sha256 === undefined)
    return <>{t('upload.reading', { percent: size === 0 ? 0 : Math.floor((read / size) * 100) })}</>
  if (!standing) return <>{t('upload.begins')}</>
  const sent = sentBytes(item)
  if (sent >= size) return <>{t('upload.checking')}</>
  const { bytesPerSecond, seconds } = paceOfItem(item, Date.now())
  return (
    <>
      {[
        t('upload.sent', { percent, sent: sizeText(sent, reader), size: sizeText(size, reader) }),
        ...(bytesPerSecond === undefined ? [] : [t('upload.speed', { speed: sizeText(bytesPerSecond, reader) })]),
        ...(seconds === undefined ? [] : [t('upload.left', { span: spanText(seconds, i18n.language) })]),
      ].join(' · ')}
    </>
  )
}

const faultText = (error: unknown, name: string, t: TFunction): string => {
  if (isApiError(error)) {
    const { title, text } = describeError(error)
    return `${title} · ${text}`
  }
  if (error instanceof Error && error.name === 'OtherFile') return t('upload.otherFile', { name })
  return t('upload.unreadable', { name })
}
