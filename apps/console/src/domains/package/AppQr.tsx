import { linkApp } from '@campanile/contract/package'
import { useQuery } from '@tanstack/react-query'
import { Modal, Skeleton } from 'antd'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../kit/CopyButton.tsx'
import { Failed } from '../../kit/Failed.tsx'
import { calls } from '../../kit/index.ts'
import { QrCode } from '../../kit/QrCode.tsx'
import { timeText } from '../../kit/time.ts'
import './appQr.css'

interface Props {
  app: { readonly id: number; readonly appName: string; readonly version: string }
  onClose: () => void
}

/** A picture that a device or a phone reads to fetch the app, while the link in it lasts. */
export function AppQr({ app: { id, appName, version }, onClose }: Props) {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery({
    queryKey: ['appLink', id],
    queryFn: ({ signal }) => calls.call(linkApp, { id }, { signal }),
    // Each opening has a link of its own, that lasts from then on.
    gcTime: 0,
    retry: false,
  })
  const url = data && new URL(data.path, window.location.origin).href
  return (
    <Modal open width={420} title={`${appName} ${version}`} onCancel={onClose} footer={null}>
      {error && <Failed error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton active />}
      {data && url && (
        <div className="app-qr">
          <QrCode text={url} label={t('appPackage.qr.label', { name: appName })} />
          <p className="quiet">{t('appPackage.qr.until', { time: timeText(new Date(data.until)) })}</p>
          <CopyButton text={url} label={t('appPackage.qr.copy')} />
        </div>
      )}
    </Modal>
  )
}
