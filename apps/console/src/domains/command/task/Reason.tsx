import { useTranslation } from 'react-i18next'

/** A word of ours is put into the reader's language; a device's own words stay as they are. */
export function Reason({ reason }: { reason: string | null }) {
  const { t, i18n } = useTranslation()
  if (!reason) return <span className="nothing">–</span>
  const key = `taskDevice.reason.${reason}`
  return <span title={reason}>{i18n.exists(key) ? t(key) : reason}</span>
}
