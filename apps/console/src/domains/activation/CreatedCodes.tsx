import { PrinterOutlined } from '@ant-design/icons'
import { type CodeLabel, labelsMax } from '@campanile/contract/activation'
import { secretMask } from '@campanile/contract/kit'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../kit/CopyButton.tsx'
import { Pager } from '../../kit/list/Pager.tsx'
import { QrCode } from '../../kit/QrCode.tsx'
import { JoinCommands } from './JoinCommands.tsx'
import './activation.css'

interface Props {
  codes: readonly CodeLabel[]
  /** Absent: no permission for pictures of codes. */
  onPrint: ((ids: readonly number[]) => void) | undefined
}
const pageSize = 10

/** What was just made: each code, how its device joins with it, and labels for all of them. */
export function CreatedCodes({ codes, onPrint }: Props) {
  const { t } = useTranslation()
  const [chosen, setChosen] = useState(codes[0])
  const [page, setPage] = useState(1)
  const all = codes.map(({ sn, activationCode }) => `${sn}\t${activationCode}`).join('\n')
  return (
    <div className="created">
      {codes.length > 1 && (
        <>
          <div className="import-table">
            <table className="plain-table">
              <caption className="visually-hidden">{t('activationCode.title')}</caption>
              <thead>
                <tr>
                  <th scope="col">{t('activationCode.field.sn')}</th>
                  <th scope="col">{t('activationCode.field.activationCode')}</th>
                </tr>
              </thead>
              <tbody>
                {codes.slice((page - 1) * pageSize, page * pageSize).map((code) => (
                  <tr key={code.id}>
                    <td>
                      <button
                        type="button"
                        className="link-button mono"
                        aria-pressed={code === chosen}
                        onClick={() => setChosen(code)}
                      >
                        {code.sn}
                      </button>
                    </td>
                    <td className="mono">{code.activationCode}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          {codes.length > pageSize && <Pager page={page} pageSize={pageSize} total={codes.length} onPage={setPage} />}
        </>
      )}
      {chosen?.activationCode === secretMask && <p className="field-help">{t('activationCode.created.masked')}</p>}
      {chosen && chosen.activationCode !== secretMask && (
        <>
          <div className="created-code">
            {onPrint && <QrCode text={chosen.qrData} label={t('activationCode.qr.label', { sn: chosen.sn })} />}
            <div>
              <span className="quiet">{t('activationCode.created.codeOf', { sn: chosen.sn })}</span>
              <strong className="mono big-code">{chosen.activationCode}</strong>
              <span>
                <CopyButton text={chosen.activationCode} label={t('activationCode.action.copy')} />
              </span>
            </div>
          </div>
          <JoinCommands code={chosen} />
        </>
      )}
      <div className="dialog-buttons">
        {codes.length > 1 && chosen?.activationCode !== secretMask && (
          <CopyButton text={all} label={t('activationCode.created.copyAll')} />
        )}
        {onPrint && (
          <Button
            type="primary"
            icon={<PrinterOutlined />}
            onClick={() => onPrint(codes.slice(0, labelsMax).map(({ id }) => id))}
          >
            {t('activationCode.action.print')}
          </Button>
        )}
      </div>
    </div>
  )
}
