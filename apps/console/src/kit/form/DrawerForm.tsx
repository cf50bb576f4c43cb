import { Button, Drawer } from 'antd'
import { type KeyboardEvent, type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { keepEnterInPicker } from './enterInPicker.ts'

interface Props {
  title: string
  /** The verb of its button; the title where that says it. */
  submit?: string
  size?: number
  busy: boolean
  onSubmit: () => unknown
  onClose: () => unknown
  children: ReactNode
}

/** The frame of every form in a drawer: its two buttons, and Ctrl/Cmd+Enter from any field. */
export function DrawerForm({ title, submit = title, size = 480, busy, onSubmit, onClose, children }: Props) {
  const { t } = useTranslation()
  const id = useId()
  const submitByKey = (event: KeyboardEvent) => {
    keepEnterInPicker(event)
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void onSubmit()
  }
  return (
    <Drawer
      open
      size={size}
      title={title}
      onClose={onClose}
      mask={{ closable: true }}
      footer={
        <div className="drawer-buttons">
          <Button onClick={onClose} disabled={busy}>
            {t('kit.cancel')}
          </Button>
          <Button type="primary" htmlType="submit" form={id} loading={busy}>
            {submit}
          </Button>
        </div>
      }
    >
      <form
        id={id}
        className="kit-form"
        noValidate
        onKeyDown={submitByKey}
        onSubmit={(event) => {
          event.preventDefault()
          void onSubmit()
        }}
      >
        {children}
      </form>
    </Drawer>
  )
}
