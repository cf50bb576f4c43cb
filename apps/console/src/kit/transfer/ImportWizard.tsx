import { DownloadOutlined, InboxOutlined } from '@ant-design/icons'
import type { ImportCheck, ImportProgress } from '@campanile/client'
import { importFeedback, type Resource } from '@campanile/contract/kit'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Drawer, Progress, Steps, Upload } from 'antd'
import { useEffect, useState } from 'react'
import { describeError } from '../../shell/errorText.ts'
import { notify } from '../../shell/feedback.ts'
import { calls } from '../calls.ts'
import type { Reader } from '../reader.ts'
import { downloadFailed } from './downloadFailed.ts'
import { EncodingChoice } from './EncodingChoice.tsx'
import { type Encoding, encodings, isText, readAs } from './encodings.ts'
import { ImportErrors } from './ImportErrors.tsx'
import { saveBlob } from './saveBlob.ts'

interface Props {
  resource: Resource
  reader: Reader
  onClose: () => void
  onImported: () => unknown
}
/** What keeps a checked file from being imported; the name of a text. */
const whyNothingOf = ({ total, valid, existing }: ImportCheck): string | undefined => {
  if (total === 0) return 'transfer.noRows'
  if (valid > 0) return undefined
  return existing > 0 ? 'transfer.allExist' : 'transfer.noValid'
}

type Step = 'template' | 'upload' | 'check' | 'run'
const steps: Step[] = ['template', 'upload', 'check', 'run']
const pollMs = 1_000

/** Template, upload, dry run with every row's errors, run. Valid rows are kept; failed ones come back with a reason. */
export function ImportWizard({ resource, reader, onClose, onImported }: Props) {
  const { t } = reader
  const [step, setStep] = useState<Step>('template')
  const [file, setFile] = useState<File>()
  const [check, setCheck] = useState<ImportCheck>()
  const [encoding, setEncoding] = useState<Encoding>()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()

  const attempt = async (work: () => Promise<void>) => {
    setBusy(true)
    setProblem(undefined)
    try {
      await work()
    } catch (error) {
      const { title, text } = describeError(error)
      setProblem(`${title} · ${text}`)
    } finally {
      setBusy(false)
    }
  }
  const template = () =>
    attempt(async () => {
      const { blob, fileName } = await calls.importTemplate(resource)
      saveBlob(blob, fileName ?? `${reader.title}.xlsx`)
    })
  const examine = (as: Encoding | undefined) =>
    attempt(async () => {
      if (!file) return
      const readable = as === undefined ? file : await readAs(file, as)
      if (!readable) {
        setProblem(t('transfer.notEncoded', { encoding: encodings[as as Encoding] }))
        return
      }
      const answer = await calls.importCheck(resource, readable)
      setCheck(answer)
      setStep('check')
    })
  const choose = (chosen: File | undefined) => {
    setFile(chosen)
    setEncoding(undefined)
    setCheck(undefined)
    setProblem(undefined)
  }
  const start = () =>
    attempt(async () => {
      if (!check) return
      await calls.importRun(resource, check.importId)
      setStep('run')
    })

  const whyNothing = (checked: ImportCheck) => {
    const why = whyNothingOf(checked)
    return why === undefined ? undefined : t(why)
  }
  // Always said, so that nobody faces a grey button without a reason.
  const missing: Record<Step, string | undefined> = {
    template: undefined,
    upload: file ? undefined : t('kit.import.chooseFirst'),
    check: check && whyNothing(check),
    run: undefined,
  }
  const next: Record<Step, { label: string; go: () => unknown }> = {
    template: { label: t('transfer.continue'), go: () => setStep('upload') },
    upload: { label: t('transfer.check'), go: () => examine(encoding) },
    check: {
      label: t('transfer.run', { count: check?.valid ?? 0, shown: reader.number(check?.valid ?? 0) }),
      go: start,
    },
    run: { label: t('kit.close'), go: onClose },
  }
  const back: Partial<Record<Step, Step>> = { upload: 'template', check: 'upload' }
  return (
    <Drawer
      open
      size={720}
      title={t('transfer.title', { title: reader.title })}
      onClose={onClose}
      footer={
        <div className="drawer-buttons">
          {missing[step] !== undefined && <span className="why">{missing[step]}</span>}
          {back[step] && <Button onClick={() => setStep(back[step] ?? 'template')}>{t('kit.import.back')}</Button>}
          <Button type="primary" loading={busy} disabled={missing[step] !== undefined} onClick={next[step].go}>
            {next[step].label}
          </Button>
        </div>
      }
    >
      <Steps
        size="small"
        current={steps.indexOf(step)}
        items={steps.map((each) => ({ title: t(`transfer.step.${each}`) }))}
      />
      <div className="import-step">
        {problem !== undefined && <Alert type="error" showIcon title={problem} />}
        {step === 'template' && (
          <>
            <p>{t('transfer.templateText')}</p>
            <Button icon={<DownloadOutlined />} loading={busy} onClick={template}>
              {t('kit.import.template')}
            </Button>
          </>
        )}
        {step === 'upload' && <ChooseFile file={file} onFile={choose} reader={reader} />}
        {file && isText(file) && (step === 'check' || (step === 'upload' && (problem ?? encoding) !== undefined)) && (
          <EncodingChoice
            reader={reader}
            value={encoding ?? (check?.read?.encoding as Encoding | undefined)}
            unsure={encoding === undefined && (check?.read?.unsure ?? false)}
            onChange={(chosen) => {
              setEncoding(chosen)
              void examine(chosen)
            }}
          />
        )}
        {step === 'check' && check && <ImportErrors check={check} resource={resource} reader={reader} />}
        {step === 'run' && check && (
          <Running resource={resource} reader={reader} importId={check.importId} onImported={onImported} />
        )}
      </div>
    </Drawer>
  )
}

function ChooseFile({
  file,
  onFile,
  reader,
}: {
  file: File | undefined
  onFile: (file?: File) => void
  reader: Reader
}) {
  const { t } = reader
  const [refused, setRefused] = useState(false)
  return (
    <>
      <Upload.Dragger
        accept=".xlsx,.csv"
        maxCount={1}
        fileList={file ? [{ uid: 'file', name: file.name, status: 'done' }] : []}
        beforeUpload={(chosen) => {
          const right = /\.(xlsx|csv)$/i.test(chosen.name)
          setRefused(!right)
          onFile(right ? chosen : undefined)
          return false
        }}
        onRemove={() => onFile(undefined)}
      >
        <p>
          <InboxOutlined className="drop-icon" />
        </p>
        <p>{t('kit.import.drop')}</p>
      </Upload.Dragger>
      {refused && <Alert type="error" showIcon title={t('transfer.onlyXlsx')} />}
    </>
  )
}

interface RunningProps {
  resource: Resource
  reader: Reader
  importId: ImportCheck['importId']
  onImported: () => unknown
}

/** The work goes on without this window; the result is also among the notifications and the files. */
function Running({ resource, reader, importId, onImported }: RunningProps) {
  const { t } = reader
  const { data, error } = useQuery({
    queryKey: ['import', resource.name, importId],
    queryFn: ({ signal }) => calls.importStatus(resource, importId, { signal }),
    refetchInterval: (query) => (query.state.data?.state === 'done' ? false : pollMs),
  })
  const done = data?.state === 'done'
  // biome-ignore lint/correctness/useExhaustiveDependencies: told once, when it is done
  useEffect(() => {
    if (!done) return
    onImported()
    const { code, message = '', fileId } = data
    // Refused rows are told until somebody closes the notice, also when this window is gone by then (behaviour: api.rows-refused).
    if (code === importFeedback)
      notify.importFeedback({
        message,
        download: fileId === null ? undefined : () => void downloadFailed(fileId, reader),
      })
  }, [done])
  if (error) return <Alert type="error" showIcon title={describeError(error).text} />
  if (!data) return <Progress percent={0} />
  const { fileId } = data
  return (
    <>
      <Progress
        percent={data.total === 0 ? 100 : Math.floor((data.done / data.total) * 100)}
        status={done ? (data.created === 0 ? 'exception' : 'success') : 'active'}
      />
      <p role="status">
        {done ? t('transfer.result', counts(data, reader)) : t('transfer.running', counts(data, reader))}
      </p>
      {!done && <p className="quiet">{t('transfer.mayLeave')}</p>}
      {done && data.created === 0 && <Alert type="error" showIcon title={t('transfer.nothingCreated')} />}
      {fileId !== null && (
        <Button icon={<DownloadOutlined />} onClick={() => downloadFailed(fileId, reader)}>
          {t('kit.import.downloadFailed')}
        </Button>
      )}
    </>
  )
}

const counts = (progress: ImportProgress, reader: Reader) =>
  Object.fromEntries<string | number>([
    ['count', progress.total],
    ...(['done', 'total', 'created', 'failed', 'skipped'] as const).map(
      (name) => [name, reader.number(progress[name])] as const,
    ),
  ])
