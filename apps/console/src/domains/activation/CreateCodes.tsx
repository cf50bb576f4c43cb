import { InboxOutlined } from '@ant-design/icons'
import { activationCode } from '@campanile/contract/activation'
import { device } from '@campanile/contract/device'
import { Drawer, Input, InputNumber, Segmented, Select, Upload } from 'antd'
import { useState } from 'react'
import { DrawerForm } from '../../kit/form/DrawerForm.tsx'
import { Labelled } from '../../kit/form/Labelled.tsx'
import { useReader } from '../../kit/index.ts'
import { DepartmentPicker } from '../../kit/inputs/DepartmentPicker.tsx'
import { askToLeave, useDirtyGuard } from '../../shell/tabs/index.ts'
import { CreatedCodes } from './CreatedCodes.tsx'
import { LineFaults } from './LineFaults.tsx'
import { useCreateCodes, type Way } from './useCreateCodes.ts'

interface Props {
  byLines: boolean
  byFile: boolean
  /** Lines that are entered already. */
  start?: string
  onPrint: ((ids: readonly number[]) => void) | undefined
  onCreated: () => unknown
  onClose: () => void
}

const example = 'T2-0001;K7M2P9XQ;AA:BB:CC:DD:EE:FF;\n{"sn":"T2-0002","activationCode":"H3N8R5WZ"}\nT2-0003'

/** Codes by lines or from a sheet; all of them or none. Afterwards the same drawer shows what was made. */
export function CreateCodes({ byLines, byFile, start = '', onPrint, onCreated, onClose }: Props) {
  const reader = useReader(activationCode)
  const types = useReader(device)
  const { t } = reader
  const [way, setWay] = useState<Way>(byLines ? 'lines' : 'file')
  const { form, faults, made, submit } = useCreateCodes(way, onCreated, start)
  // Codes are secrets: they are not written down in the browser, which asks instead.
  useDirtyGuard(form.dirty && !made)
  const title = t('activationCode.action.create')
  const close = async () => {
    if (made || !form.dirty || (await askToLeave([title]))) onClose()
  }
  if (made)
    return (
      <Drawer open size={720} title={t('activationCode.created.title', { count: made.created })} onClose={onClose}>
        <CreatedCodes codes={made.codes} onPrint={onPrint} />
      </Drawer>
    )
  return (
    <DrawerForm title={title} size={720} busy={form.busy} onSubmit={submit} onClose={close}>
      {byLines && byFile && (
        <Segmented
          value={way}
          onChange={(next) => setWay(next as Way)}
          options={(['lines', 'file'] as const).map((value) => ({
            value,
            label: t(`activationCode.create.${value}`),
          }))}
        />
      )}
      {way === 'lines' ? (
        <Labelled
          {...form.field('codes')}
          label={t('activationCode.create.codes')}
          help={t('activationCode.create.codesHelp')}
          required
        >
          {(state) => (
            <Input.TextArea
              {...state}
              className="code-lines mono"
              autoSize={{ minRows: 6, maxRows: 16 }}
              spellCheck={false}
              placeholder={example}
              value={form.values.codes}
              onChange={(event) => form.set('codes', event.target.value)}
              onBlur={form.field('codes').onBlur}
            />
          )}
        </Labelled>
      ) : (
        <Labelled
          {...form.field('file')}
          label={t('activationCode.create.sheet')}
          help={t('activationCode.create.sheetHelp')}
          required
        >
          {(state) => (
            <Upload.Dragger
              {...state}
              accept=".xlsx,.csv"
              maxCount={1}
              fileList={form.values.file ? [{ uid: 'file', name: form.values.file.name, status: 'done' }] : []}
              beforeUpload={(file) => {
                form.set('file', file)
                return false
              }}
              onRemove={() => form.set('file', undefined)}
            >
              <p>
                <InboxOutlined className="drop-icon" />
              </p>
              <p>{t('kit.import.drop')}</p>
            </Upload.Dragger>
          )}
        </Labelled>
      )}
      {faults.length > 0 && <LineFaults faults={faults} text={way === 'lines' ? form.values.codes : undefined} />}
      <Labelled
        {...form.field('departmentId')}
        label={reader.field('departmentId')}
        help={t('activationCode.create.departmentHelp')}
      >
        {(state) => (
          <DepartmentPicker
            id={state.id}
            label={reader.field('departmentId')}
            value={form.values.departmentId}
            onChange={(value) => form.set('departmentId', value)}
          />
        )}
      </Labelled>
      <Labelled
        {...form.field('deviceType')}
        label={types.field('deviceType')}
        help={t('activationCode.create.typeHelp')}
      >
        {(state) => (
          <Select
            {...state}
            allowClear
            showSearch={{ optionFilterProp: 'label' }}
            value={form.values.deviceType}
            onChange={(value) => form.set('deviceType', value ?? null)}
            options={types.codesOf('deviceType').map((value) => ({ value, label: types.code('deviceType', value) }))}
          />
        )}
      </Labelled>
      <Labelled
        {...form.field('validDays')}
        label={t('activationCode.create.validDays')}
        help={t('activationCode.create.validHelp')}
      >
        {(state) => (
          <InputNumber
            {...state}
            className="whole"
            precision={0}
            value={form.values.validDays}
            onChange={(value) => form.set('validDays', value)}
            onBlur={form.field('validDays').onBlur}
          />
        )}
      </Labelled>
    </DrawerForm>
  )
}
