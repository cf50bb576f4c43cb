import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { later } from '../../../shell/later.tsx'

const AttemptsDialog = later(async () => (await import('./AttemptsDialog.tsx')).AttemptsDialog)

/** That a device was asked more than once; pressed, what became of each time. */
export function Attempts({ id, sn, attempt }: { id: number; sn: string; attempt: number }) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  if (attempt < 2) return null
  return (
    <>
      <Button {...AttemptsDialog.near} type="link" size="small" onClick={() => setOpen(true)}>
        {t('taskDevice.attempt', { attempt })}
      </Button>
      {open && <AttemptsDialog id={id} sn={sn} onClose={() => setOpen(false)} />}
    </>
  )
}
