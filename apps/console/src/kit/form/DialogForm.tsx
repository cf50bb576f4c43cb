import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { wayOut } from '../wayOut.ts'
import { FieldsForm } from './FieldsForm.tsx'

interface Props {
  lead: string
  submit: string
  danger?: boolean
  busy: boolean
  onSubmit: () => unknown
  onCancel: () => void
  children: ReactNode
}

/** A short form inside a dialog: what it is for, its fields, and the two buttons. */
export function DialogForm({ lead, submit, danger = false, busy, onSubmit, onCancel, children }: Props) {
  const { t } = useTranslation()
  return (
    <FieldsForm onSubmit={onSubmit}>
      <p>{lead}</p>
      {children}
      <div className="dialog-buttons">
        <Button onClick={onCancel}>{wayOut(submit, { cancel: t('kit.cancel'), keep: t('kit.keep') })}</Button>
        <Button type="primary" danger={danger} htmlType="submit" loading={busy}>
          {submit}
        </Button>
      </div>
    </FieldsForm>
  )
}
