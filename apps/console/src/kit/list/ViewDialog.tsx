import { Checkbox, Input, Modal } from 'antd'
import { useState } from 'react'
import { Labelled } from '../form/Labelled.tsx'
import type { Reader } from '../reader.ts'

export interface ViewDraft {
  id?: number
  name: string
  shared: boolean
  isDefault: boolean
}

interface Props {
  draft: ViewDraft
  saving: boolean
  reader: Reader
  onChange: (draft: ViewDraft) => void
  onClose: () => void
  onSave: () => void
}

/** Name, default and sharing of a saved view. Enter in the name presses the button, as in every dialog. */
export function ViewDialog({ draft, saving, reader, onChange, onClose, onSave }: Props) {
  const { t } = reader
  const verb = t(draft.id === undefined ? 'kit.view.save' : 'kit.view.edit')
  const [pressed, setPressed] = useState(false)
  const named = draft.name.trim() !== ''
  const save = () => {
    if (saving) return
    setPressed(true)
    if (named) onSave()
    else document.getElementById('view-name')?.focus()
  }
  return (
    <Modal
      open
      title={verb}
      okText={verb}
      cancelText={t('kit.cancel')}
      confirmLoading={saving}
      onCancel={onClose}
      onOk={save}
    >
      <div className="kit-form">
        <Labelled
          id="view-name"
          label={t('kit.view.name')}
          error={pressed && !named ? t('kit.view.nameFirst') : undefined}
          required
        >
          {(state) => (
            <Input
              {...state}
              maxLength={64}
              count={{ show: true, max: 64 }}
              value={draft.name}
              onChange={(event) => onChange({ ...draft, name: event.target.value })}
            />
          )}
        </Labelled>
        <Checkbox
          checked={draft.isDefault}
          onChange={(event) => onChange({ ...draft, isDefault: event.target.checked })}
        >
          {t('kit.view.makeDefault')}
        </Checkbox>
        <Checkbox checked={draft.shared} onChange={(event) => onChange({ ...draft, shared: event.target.checked })}>
          {t('kit.view.share')}
        </Checkbox>
      </div>
    </Modal>
  )
}
