import { Modal } from 'antd'
import { useEffect } from 'react'
import { offerDialogs } from './dialogs.tsx'

/** Where dialogs stand that are opened from functions. */
export function DialogHost({ place }: { place: string; onClose: () => void }) {
  const [dialogs, holder] = Modal.useModal()
  useEffect(() => {
    offerDialogs(place, dialogs)
    return () => offerDialogs(place, undefined)
  }, [place, dialogs])
  return holder
}
