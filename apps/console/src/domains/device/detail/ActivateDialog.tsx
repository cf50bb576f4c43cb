import { type CodeLabel, createCodes } from '@campanile/contract/activation'
import { activationStates, type DeviceDetail } from '@campanile/contract/device'
import { Alert, Button, Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../../kit/CopyButton.tsx'
import { calls } from '../../../kit/index.ts'
import { QrCode } from '../../../kit/QrCode.tsx'
import { showError } from '../../../shell/feedback.ts'
import { JoinCommands } from '../../activation/pickers.tsx'

/** A code for this device, as a picture and as commands; it waits, and turns green when the device is there. */
export function ActivateDialog({ detail, onClose }: { detail: DeviceDetail; onClose: () => void }) {
  const { t } = useTranslation()
  const { sn, iotStatus, activationStatus } = detail.row
  const [code, setCode] = useState<CodeLabel>()
  const [busy, setBusy] = useState(false)
  // A device that says one thing and goes again has come all the same.
  const [isThere, setThere] = useState(false)
  if (!isThere && code && (iotStatus !== 'offline' || activationStatus === activationStates.bound)) setThere(true)
  const make = async () => {
    setBusy(true)
    try {
      setCode((await calls.call(createCodes, { codes: sn })).codes[0])
    } catch (error) {
      showError(error)
    }
    setBusy(false)
  }
  return (
    <Modal
      open
      width={640}
      title={t('deviceDetail.activate.title', { sn })}
      onCancel={onClose}
      footer={
        code ? (
          <Button type={isThere ? 'primary' : 'default'} onClick={onClose}>
            {t('deviceDetail.activate.close')}
          </Button>
        ) : (
          <Button type="primary" loading={busy} onClick={make} autoFocus>
            {t('deviceDetail.activate.make')}
          </Button>
        )
      }
    >
      {code ? (
        <div className="activate-code">
          <div className="activate-head">
            <QrCode text={code.qrData} label={t('activationCode.qr.label', { sn })} />
            <div>
              <span className="quiet">{t('deviceDetail.activate.code', { sn })}</span>
              <strong className="mono activate-big">{code.activationCode}</strong>
              <CopyButton text={code.activationCode} label={t('activationCode.action.copy')} />
            </div>
          </div>
          <Alert
            role="status"
            type={isThere ? 'success' : 'info'}
            showIcon
            title={t(isThere ? 'deviceDetail.activate.done' : 'deviceDetail.activate.waiting', { sn })}
          />
          {!isThere && <JoinCommands code={code} />}
        </div>
      ) : (
        <p>{t('deviceDetail.activate.text')}</p>
      )}
    </Modal>
  )
}
