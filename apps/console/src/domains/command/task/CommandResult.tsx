import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ResultDialog } from './opened.ts'
import type { Result } from './ResultDialog.tsx'
import { resultWords } from './resultWords.ts'
import './task.css'

/** What a device answered: its beginning in the row, the whole of it on demand. */
export function CommandResult({ text, ...rest }: Omit<Result, 'text'> & { text: string | null }) {
  const { t, i18n } = useTranslation()
  const [open, setOpen] = useState(false)
  const words = resultWords(text, i18n)
  if (!text || words === undefined) return <span className="nothing">–</span>
  return (
    <span className="command-result">
      <Button {...ResultDialog.near} type="link" size="small" onClick={() => setOpen(true)}>
        {t('command.viewResult')}
      </Button>
      <span className="quiet">{words}</span>
      {open && <ResultDialog text={text} {...rest} onClose={() => setOpen(false)} />}
    </span>
  )
}
