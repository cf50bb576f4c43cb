import { useLocation } from 'react-router'
import { Message } from './Message.tsx'

/** The menu names a screen this version does not have. */
export function NotAvailable() {
  return <Message kind="notAvailable" detail={useLocation().pathname} />
}
