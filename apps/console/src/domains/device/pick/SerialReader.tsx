import { InboxOutlined } from '@ant-design/icons'
import { device, readSerials } from '@campanile/contract/device'
import type { AnswerOf } from '@campanile/contract/kit'
import { Alert, Button, Input, Upload } from 'antd'
import { useId, useState } from 'react'
import { calls, useReader } from '../../../kit/index.ts'
import { RefusedRows } from '../../../kit/transfer/RefusedRows.tsx'
import { describeError } from '../../../shell/errorText.ts'

type Read = AnswerOf<typeof readSerials>
interface Props {
  by: 'text' | 'file'
  onRead: (sns: string[]) => void
}

const kinds = ['.xlsx', '.xls', '.csv', '.txt']
const mostShown = 100

/** Serials pasted or in a file: the server tells which are devices within reach, and what is wrong with the others. */
export function SerialReader({ by, onRead }: Props) {
  const { t, number } = useReader(device)
  const base = useId()
  const [text, setText] = useState('')
  const [busy, setBusy] = useState(false)
  const [read, setRead] = useState<Read>()
  const [problem, setProblem] = useState<string>()

  const send = async (file: Blob) => {
    setBusy(true)
    setProblem(undefined)
    setRead(undefined)
    try {
      const answer = await calls.upload(readSerials, file, {})
      setRead(answer)
      onRead(answer.sns)
    } catch (error) {
      const { title, text: reason } = describeError(error)
      setProblem(`${title} · ${reason}`)
    } finally {
      setBusy(false)
    }
  }
  const open = (file: File) => {
    if (kinds.some((kind) => file.name.toLowerCase().endsWith(kind))) void send(file)
    else setProblem(t('devicePicker.wrongFile'))
    return false
  }
  return (
    <>
      {by === 'text' ? (
        <div className="field">
          <label htmlFor={base}>{t('devicePicker.pasteLabel')}</label>
          <Input.TextArea
            id={base}
            className="mono"
            autoSize={{ minRows: 4, maxRows: 10 }}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          <div>
            <Button loading={busy} disabled={text.trim() === ''} onClick={() => send(new Blob([text]))}>
              {t('devicePicker.addPasted')}
            </Button>
          </div>
        </div>
      ) : (
        <Upload.Dragger
          accept={kinds.join(',')}
          maxCount={1}
          showUploadList={false}
          beforeUpload={open}
          disabled={busy}
        >
          <p>
            <InboxOutlined className="drop-icon" />
          </p>
          <p>{t('devicePicker.drop')}</p>
        </Upload.Dragger>
      )}
      {problem !== undefined && <Alert type="error" showIcon title={problem} />}
      {read && (
        <p role="status">
          {t('devicePicker.read', { found: number(read.sns.length), failed: number(read.failed.length) })}
        </p>
      )}
      {read && read.failed.length > 0 && (
        <div className="pick-table">
          <RefusedRows
            caption={<span className="visually-hidden">{t('devicePicker.refused')}</span>}
            rows={read.failed.slice(0, mostShown)}
          />
        </div>
      )}
    </>
  )
}
