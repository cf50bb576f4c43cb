import { DownloadOutlined, PrinterOutlined } from '@ant-design/icons'
import { Button, Checkbox } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../../kit/CopyButton.tsx'
import { saveBlob } from '../../../kit/index.ts'
import { globalTitle } from '../../../shell/runtime.ts'
import { currentSession } from '../../../shell/session/session.ts'

/** Shown once: the server keeps only what it needs to recognise them. Leaving needs a word that they are kept. */
export function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  const { t } = useTranslation()
  const [kept, setKept] = useState(false)
  const [asked, setAsked] = useState(false)
  const username = currentSession()?.user.username ?? ''
  const lines = [t('personal.recovery.sheet', { title: globalTitle(), username }), '', ...codes].join('\n')

  return (
    <div className="recovery">
      <p>{t('personal.recovery.lead')}</p>
      <section className="recovery-sheet" aria-label={t('personal.recovery.title')}>
        <p className="print-only">{t('personal.recovery.sheet', { title: globalTitle(), username })}</p>
        <ol>
          {codes.map((code) => (
            <li key={code} className="mono">
              {code}
            </li>
          ))}
        </ol>
      </section>
      <div className="recovery-buttons">
        <CopyButton text={lines} label={t('personal.recovery.copy')} />
        <Button
          icon={<DownloadOutlined />}
          onClick={() => saveBlob(new Blob([lines], { type: 'text/plain' }), `recovery-codes-${username}.txt`)}
        >
          {t('personal.recovery.download')}
        </Button>
        <Button icon={<PrinterOutlined />} onClick={() => window.print()}>
          {t('personal.recovery.print')}
        </Button>
      </div>
      <Checkbox checked={kept} onChange={(event) => setKept(event.target.checked)}>
        {t('personal.recovery.saved')}
      </Checkbox>
      {asked && !kept && (
        <p className="field-error" role="alert">
          {t('personal.recovery.notSaved')}
        </p>
      )}
      <div className="dialog-buttons">
        <Button type="primary" onClick={() => (kept ? onKept() : setAsked(true))}>
          {t('personal.recovery.finish')}
        </Button>
      </div>
    </div>
  )
}
