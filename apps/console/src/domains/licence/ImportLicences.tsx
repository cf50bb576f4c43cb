import { InboxOutlined } from '@ant-design/icons'
import { isPartialSuccess } from '@campanile/client'
import type { AnswerOf } from '@campanile/contract/kit'
import { importLicences } from '@campanile/contract/licence'
import { Alert, Modal, Upload } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { calls } from '../../kit/index.ts'
import { RefusedRows } from '../../kit/transfer/RefusedRows.tsx'
import { describeError } from '../../shell/errorText.ts'

type Answer = AnswerOf<typeof importLicences>

/** A sheet of serials and terms. Good rows are taken; every other one is told with its reason. */
export function ImportLicences({ onImported, onClose }: { onImported: () => unknown; onClose: () => void }) {
  const { t } = useTranslation()
  const [busy, setBusy] = useState(false)
  const [answer, setAnswer] = useState<Answer>()
  const [problem, setProblem] = useState<string>()
  const send = async (file: File) => {
    setBusy(true)
    setProblem(undefined)
    setAnswer(undefined)
    try {
      setAnswer(await calls.upload(importLicences, file, {}))
    } catch (error) {
      const { title, text } = describeError(error)
      if (isPartialSuccess(error)) setAnswer(error.data as Answer)
      else setProblem(`${title} · ${text}`)
    } finally {
      setBusy(false)
      await onImported()
    }
  }
  return (
    <Modal open width={640} title={t('licence.importTitle')} footer={null} onCancel={onClose}>
      <div className="import-step">
        <p>{t('licence.importHelp')}</p>
        <Upload.Dragger
          accept=".xlsx,.xls"
          maxCount={1}
          showUploadList={false}
          disabled={busy}
          beforeUpload={(file) => {
            void send(file)
            return false
          }}
        >
          <p>
            <InboxOutlined className="drop-icon" />
          </p>
          <p>{t('kit.import.drop')}</p>
        </Upload.Dragger>
        {problem !== undefined && <Alert type="error" showIcon title={problem} />}
        {answer && (
          <Alert
            type={answer.created === 0 ? 'error' : 'success'}
            showIcon
            title={t('licence.importDone', { count: answer.created })}
          />
        )}
        {answer && answer.failed.length > 0 && (
          <div className="import-table">
            <RefusedRows caption={t('licence.importFailed', { count: answer.failed.length })} rows={answer.failed} />
          </div>
        )}
      </div>
    </Modal>
  )
}
