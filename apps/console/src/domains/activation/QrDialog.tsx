import { DownloadOutlined, PrinterOutlined } from '@ant-design/icons'
import type { CodeLabel } from '@campanile/contract/activation'
import { Button, Modal, Radio } from 'antd'
import { toCanvas } from 'qrcode'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../kit/CopyButton.tsx'
import { saveBlob } from '../../kit/index.ts'
import { QrCode } from '../../kit/QrCode.tsx'
import { showError } from '../../shell/feedback.ts'
import './activation.css'

const sizes = [256, 512, 1024] as const

const png = async (text: string, width: number): Promise<Blob> => {
  const canvas = document.createElement('canvas')
  await toCanvas(canvas, text, { width, margin: 4, errorCorrectionLevel: 'M' })
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png'),
  )
}

/** One code as a picture to scan, keep or print. */
export function QrDialog({ row, onPrint, onClose }: { row: CodeLabel; onPrint: () => void; onClose: () => void }) {
  const { t } = useTranslation()
  const [size, setSize] = useState<number>(sizes[1])
  const download = () => png(row.qrData, size).then((blob) => saveBlob(blob, `${row.sn}.png`), showError)
  return (
    <Modal
      open
      width={420}
      title={t('activationCode.qr.title', { sn: row.sn })}
      onCancel={onClose}
      footer={
        <div className="drawer-buttons">
          <Button icon={<PrinterOutlined />} onClick={onPrint}>
            {t('activationCode.qr.print')}
          </Button>
          <Button type="primary" icon={<DownloadOutlined />} onClick={download}>
            {t('activationCode.qr.download')}
          </Button>
        </div>
      }
    >
      <div className="qr-dialog">
        <QrCode text={row.qrData} label={t('activationCode.qr.label', { sn: row.sn })} />
        <code className="mono">{row.qrData}</code>
        <CopyButton text={row.qrData} label={t('activationCode.qr.copy')} />
        <Radio.Group
          aria-label={t('activationCode.qr.size')}
          value={size}
          onChange={(event) => setSize(event.target.value)}
          optionType="button"
          size="small"
          options={sizes.map((value) => ({ value, label: `${value} px` }))}
        />
      </div>
    </Modal>
  )
}
