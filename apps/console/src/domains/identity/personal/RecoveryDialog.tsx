import { Modal } from 'antd'
import type { ReactNode } from 'react'
import { RecoveryCodes } from './RecoveryCodes.tsx'

interface Props {
  title: string
  /** Above everything, while it lasts: the steps. */
  above?: ReactNode
  /** What the dialog ends with. They are shown once, so nothing but their own button closes it then. */
  codes: readonly string[] | undefined
  onClose: () => void
  children: ReactNode
}

/** A dialog that leads to recovery codes. */
export function RecoveryDialog({ title, above, codes, onClose, children }: Props) {
  const closable = codes === undefined
  return (
    <Modal
      open
      width={520}
      title={title}
      footer={null}
      onCancel={onClose}
      closable={closable}
      keyboard={closable}
      mask={{ closable: false }}
    >
      {above}
      {codes === undefined ? children : <RecoveryCodes codes={codes} onKept={onClose} />}
    </Modal>
  )
}
