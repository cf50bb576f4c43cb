import { activationCode, codeLabels, createCodes, importCodes, labelsMax } from '@campanile/contract/activation'
import { type Row, secretMask } from '@campanile/contract/kit'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { copyText } from '../../kit/CopyButton.tsx'
import { DeviceLink } from '../../kit/DeviceLink.tsx'
import { ListScreen, StateMark, usePermitted, useReader, useResourceList } from '../../kit/index.ts'
import type { Chosen } from '../../kit/list/SelectionBar.tsx'
import { QrCode } from '../../kit/QrCode.tsx'
import { toast } from '../../shell/feedback.ts'
import { later } from '../../shell/later.tsx'
import './activation.css'

const CreateCodes = later(async () => (await import('./CreateCodes.tsx')).CreateCodes)
const LabelSheet = later(async () => (await import('./LabelSheet.tsx')).LabelSheet)
const QrDialog = later(async () => (await import('./QrDialog.tsx')).QrDialog)

type Code = Row<typeof activationCode>

/** For whoever may not hand codes out: codes are masked, and looking for one would find nothing. */
const masked = {
  ...activationCode,
  list: {
    ...activationCode.list,
    columns: activationCode.list.columns.filter((name) => name !== 'qrData'),
    card: (activationCode.list.card ?? []).filter((name) => name !== 'qrData'),
    filters: activationCode.list.filters.filter((name) => name !== 'activationCode'),
  },
}
const isShown = (row: Code) => row.activationCode !== secretMask

/** Permissions to join. The code and its picture are for those who hand codes out. */
export default function ActivationCodesScreen() {
  const reader = useReader(activationCode)
  const { t } = reader
  const mayLines = usePermitted(createCodes.perm)
  const mayFile = usePermitted(importCodes.perm)
  const mayQr = usePermitted(codeLabels.perm)
  const resource = mayQr ? activationCode : masked
  const list = useResourceList(resource)
  // A device's page leads here with its serial number, to be given a code.
  const [search, setSearch] = useSearchParams()
  const asked = search.get('add')
  const [creating, setCreating] = useState(asked !== null)
  const [shown, setShown] = useState<Code>()
  const [printed, setPrinted] = useState<readonly number[]>()

  const copy = async ({ activationCode: code }: Code) => {
    await copyText(code)
    toast.success(t('kit.copied'))
  }
  const print = async ({ count, ids }: Chosen) => {
    if (count > labelsMax) toast.warning(t('activationCode.sheet.tooMany', { limit: reader.number(labelsMax) }))
    else setPrinted(await ids())
  }
  return (
    <>
      <ListScreen
        resource={resource}
        list={list}
        primary={
          mayLines || mayFile ? { label: 'activationCode.action.create', run: () => setCreating(true) } : undefined
        }
        cells={{
          qrData: (row) =>
            isShown(row) ? (
              <button
                type="button"
                className="qr-thumb"
                aria-label={t('activationCode.qr.open', { sn: row.sn })}
                onClick={() => setShown(row)}
              >
                <QrCode text={row.qrData} label="" />
              </button>
            ) : (
              <span className="mono">{row.qrData}</span>
            ),
          used: ({ used, expireTime }) => (
            <StateMark tone={used ? 'good' : isOver(expireTime) ? 'bad' : 'off'}>
              {t(`activationCode.state.${used ? 'used' : isOver(expireTime) ? 'expired' : 'unused'}`)}
            </StateMark>
          ),
          deviceSn: ({ deviceSn }) =>
            deviceSn === null ? <span className="nothing">–</span> : <DeviceLink sn={deviceSn} />,
        }}
        rowButtons={[
          { label: 'activationCode.action.qr', shown: isShown, run: setShown },
          { label: 'activationCode.action.copy', shown: isShown, run: copy },
        ]}
        bulkButtons={[{ label: 'activationCode.action.print', shown: mayQr, run: print }]}
      />
      {creating && (
        <CreateCodes
          byLines={mayLines}
          byFile={mayFile}
          onPrint={mayQr ? setPrinted : undefined}
          onCreated={list.reload}
          start={asked ?? ''}
          onClose={() => {
            setCreating(false)
            if (asked !== null) setSearch({}, { replace: true })
          }}
        />
      )}
      {shown && <QrDialog row={shown} onPrint={() => setPrinted([shown.id])} onClose={() => setShown(undefined)} />}
      {printed && <LabelSheet ids={printed} onClose={() => setPrinted(undefined)} />}
    </>
  )
}

const isOver = (time: string | null) => time !== null && new Date(time) < new Date()
