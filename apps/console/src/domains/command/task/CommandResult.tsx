import { Button, Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Json } from '../order/Json.tsx'
import './task.css'

/** What a device answered: its beginning in the row, the whole of it on demand. */
export function CommandResult({ text }: { text: string | null }) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  if (!text) return <span className="nothing">–</span>
  return (
    <span className="command-result">
      <Button type="link" size="small" onClick={() => setOpen(true)}>
        {t('command.viewResult')}
      </Button>
      <span className="mono quiet">{text}</span>
      <Modal
        open={open}
        width={640}
        title={t('taskDevice.field.result')}
        footer={null}
        onCancel={() => setOpen(false)}
        destroyOnHidden
      >
        <Json text={text} />
      </Modal>
    </span>
  )
}
