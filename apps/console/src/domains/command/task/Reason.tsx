import { reasonKeys } from '@campanile/contract/command'
import { useTranslation } from 'react-i18next'

/** A code or a word of ours is put into the reader's language; a device's own words stay as they are. */
export function Reason({ reason, sn }: { reason: string | null; sn?: string }) {
  const { t, i18n } = useTranslation()
  if (!reason) return <span className="nothing">–</span>
  const known = reasonKeys(reason).find((key) => i18n.exists(key))
  return <span title={reason}>{known === undefined ? reason : t(known, { sn })}</span>
}
