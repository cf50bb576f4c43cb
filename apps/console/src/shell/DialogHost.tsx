import { Modal } from 'antd'
import { useEffect } from 'react'
import { offerDialogs } from './dialogs.ts'

/** Where dialogs stand that are opened from functions. */
export function DialogHost(_: { onClose: () => void }) {
  const [dialogs, holder] = Modal.useModal()
  useEffect(() => {
    offerDialogs(dialogs)
    return () => offerDialogs(undefined)
  }, [dialogs])
  return holder
}
