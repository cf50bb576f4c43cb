import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AttemptsDialog } from './opened.ts'

export interface Attempted {
  readonly id: number
  readonly sn: string
  /** Tasks and messages are read with permissions of their own. */
  readonly of?: 'task' | 'message'
}

/** That a device was asked more than once; pressed, what became of each time. */
export function Attempts({ attempt, ...attempted }: Attempted & { attempt: number }) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  if (attempt < 2) return null
  return (
    <>
      <Button {...AttemptsDialog.near} type="link" size="small" onClick={() => setOpen(true)}>
        {t('taskDevice.attempt', { attempt })}
      </Button>
      {open && <AttemptsDialog {...attempted} onClose={() => setOpen(false)} />}
    </>
  )
}
