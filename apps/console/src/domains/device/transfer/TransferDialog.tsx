import { DownloadOutlined, InboxOutlined } from '@ant-design/icons'
import type { Target } from '@campanile/contract/command'
import { device, type TransferAnswer, transferTemplate } from '@campanile/contract/device'
import { Alert, Button, Drawer, Segmented, Upload } from 'antd'
import { useId, useState } from 'react'
import { calls, saveBlob, useReader } from '../../../kit/index.ts'
import { DepartmentPicker } from '../../../kit/inputs/DepartmentPicker.tsx'
import { useDepartmentNames } from '../../../kit/inputs/departmentNodes.ts'
import { downloadFailed } from '../../../kit/transfer/downloadFailed.ts'
import { describeError } from '../../../shell/errorText.ts'
import { showError, toast } from '../../../shell/feedback.ts'
import { DeviceTargetInput } from '../pickers.tsx'
import { TransferRows } from './TransferRows.tsx'
import { type Load, useTransfer } from './useTransfer.ts'

export interface Movable {
  readonly sn: string
}

const isSheet = (file: File) => /\.(xlsx?|csv)$/i.test(file.name)

/** Devices to another organisation: chosen or from a file, checked before anything moves, told row by row afterwards. */
export function TransferDialog({ devices, onClose }: { devices: readonly Movable[]; onClose: () => void }) {
  const reader = useReader(device)
  const { t } = reader
  const id = useId()
  const { check, run } = useTransfer()
  const [source, setSource] = useState<Load['kind']>('devices')
  const [target, setTarget] = useState<Target | undefined>(() =>
    devices.length > 0 ? { sns: devices.map(({ sn }) => sn) } : undefined,
  )
  const [file, setFile] = useState<File>()
  const [departmentId, setDepartmentId] = useState<number | null>(null)
  const [pressed, setPressed] = useState(false)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [checked, setChecked] = useState<TransferAnswer>()
  const [done, setDone] = useState(false)
  const names = useDepartmentNames(departmentId === null ? [] : [departmentId], true)

  const sns = target && 'sns' in target ? target.sns : []
  const load: Load | undefined =
    source === 'file' ? file && { kind: 'file', file } : sns.length > 0 ? { kind: 'devices', sns } : undefined

  const attempt = async (work: () => Promise<TransferAnswer>): Promise<boolean> => {
    setBusy(true)
    setProblem(undefined)
    try {
      setChecked(await work())
      return true
    } catch (error) {
      const { title, text } = describeError(error)
      setProblem(`${title} · ${text}`)
      return false
    } finally {
      setBusy(false)
    }
  }
  const look = async () => {
    setPressed(true)
    if (load && departmentId !== null) await attempt(() => check(load, departmentId))
  }
  const move = async () => {
    if (!load || departmentId === null || !checked) return
    const stayed = checked.failed
    let kept = 0
    const ok = await attempt(async () => {
      const answer = await run(load, departmentId, checked)
      // What was left out before it was sent stays told.
      const failed = load.kind === 'devices' ? [...stayed, ...answer.failed] : answer.failed
      kept = failed.length
      return { ...answer, failed }
    })
    if (!ok) return
    setDone(true)
    if (kept === 0) toast.success(t('device.done.transferBatch'))
    else toast.warning(t('deviceTransfer.partly', { count: kept, shown: reader.number(kept) }))
  }
  const takeOut = (sn: string) => {
    setTarget({ sns: sns.filter((each) => each !== sn) })
    setChecked((now) => now && { ...now, moved: now.moved - 1, going: now.going.filter((each) => each.sn !== sn) })
  }
  const saveTemplate = async () => {
    try {
      const { blob, fileName } = await calls.download(transferTemplate, {})
      saveBlob(blob, fileName ?? `${t('deviceTransfer.title')}.xlsx`)
    } catch (error) {
      showError(error)
    }
  }

  const to = (departmentId !== null && names.get(departmentId)) || ''
  const count = checked?.going.length ?? 0
  // What was opened for one row says which.
  const only = devices.length === 1 ? devices[0] : undefined
  const told = (what: 'go' | 'stay' | 'moved' | 'stayed', some: number) =>
    t(`deviceTransfer.told.${what}`, { count: some, shown: reader.number(some), to })
  const fileId = checked?.fileId ?? null
  return (
    <Drawer
      open
      size={720}
      title={only === undefined ? t('deviceTransfer.title') : t('deviceTransfer.titleOf', { sn: only.sn })}
      onClose={onClose}
      footer={
        <div className="drawer-buttons">
          {checked && !done && count === 0 && <span className="why">{t('deviceTransfer.noneGoes')}</span>}
          {done ? (
            <Button type="primary" onClick={onClose}>
              {t('kit.close')}
            </Button>
          ) : (
            <>
              <Button disabled={busy} onClick={() => (checked ? setChecked(undefined) : onClose())}>
                {t(checked ? 'kit.import.back' : 'kit.cancel')}
              </Button>
              {checked ? (
                <Button type="primary" loading={busy} disabled={count === 0} onClick={move}>
                  {t('deviceTransfer.run', { count, shown: reader.number(count) })}
                </Button>
              ) : (
                <Button type="primary" loading={busy} onClick={look}>
                  {t('deviceTransfer.check')}
                </Button>
              )}
            </>
          )}
        </div>
      }
    >
      <div className="kit-form">
        {problem && <Alert type="error" showIcon title={problem} />}
        {!done && <Alert type="warning" showIcon title={t('deviceTransfer.consequence')} />}
        {checked ? (
          <>
            <p role="status">
              {told(done ? 'moved' : 'go', checked.moved)}{' '}
              {checked.failed.length > 0 && `${told(done ? 'stayed' : 'stay', checked.failed.length)} `}
              {!done && t('deviceTransfer.notYet')}
            </p>
            <TransferRows
              answer={checked}
              to={to}
              done={done}
              onRemove={done || source === 'file' ? undefined : takeOut}
            />
            {fileId !== null && (
              <Button icon={<DownloadOutlined />} onClick={() => downloadFailed(fileId, reader)}>
                {t('kit.import.downloadFailed')}
              </Button>
            )}
          </>
        ) : (
          <>
            <Segmented
              value={source}
              onChange={setSource}
              options={[
                { value: 'devices', label: t('deviceTransfer.byDevices') },
                { value: 'file', label: t('deviceTransfer.byFile') },
              ]}
            />
            <div className="field" data-invalid={pressed && !load}>
              <label htmlFor={`${id}-what`}>
                {t(source === 'file' ? 'deviceTransfer.file' : 'deviceTransfer.devices')}
                <span className="required">*</span>
              </label>
              {source === 'devices' ? (
                <DeviceTargetInput
                  id={`${id}-what`}
                  label={t('deviceTransfer.devices')}
                  value={target}
                  onChange={setTarget}
                  groups={false}
                  invalid={pressed && !load}
                />
              ) : (
                <FileInput file={file} onFile={setFile} onTemplate={saveTemplate} />
              )}
              {pressed && !load && (
                <div className="field-error" role="alert">
                  {t('error.204021')}
                </div>
              )}
            </div>
            <div className="field" data-invalid={pressed && departmentId === null}>
              <label htmlFor={`${id}-to`}>
                {t('deviceTransfer.target')}
                <span className="required">*</span>
              </label>
              <DepartmentPicker
                id={`${id}-to`}
                label={t('deviceTransfer.target')}
                value={departmentId}
                onChange={setDepartmentId}
                origin
                invalid={pressed && departmentId === null}
              />
              {pressed && departmentId === null && (
                <div className="field-error" role="alert">
                  {t('error.204022')}
                </div>
              )}
            </div>
          </>
        )}
      </div>
    </Drawer>
  )
}

interface FileProps {
  file: File | undefined
  onFile: (file: File | undefined) => void
  onTemplate: () => unknown
}

function FileInput({ file, onFile, onTemplate }: FileProps) {
  const { t } = useReader(device)
  const [refused, setRefused] = useState(false)
  return (
    <div className="import-step">
      <Button icon={<DownloadOutlined />} onClick={onTemplate}>
        {t('kit.import.template')}
      </Button>
      <Upload.Dragger
        accept=".xlsx,.xls,.csv"
        maxCount={1}
        fileList={file ? [{ uid: file.name, name: file.name }] : []}
        beforeUpload={(chosen) => {
          setRefused(!isSheet(chosen))
          onFile(isSheet(chosen) ? chosen : undefined)
          return false
        }}
        onRemove={() => onFile(undefined)}
      >
        <p className="drop-icon">
          <InboxOutlined />
        </p>
        <p>{t('deviceTransfer.drop')}</p>
      </Upload.Dragger>
      {refused && <Alert type="error" showIcon title={t('deviceTransfer.onlySheets')} />}
    </div>
  )
}
