import { Checkbox, Input, Modal } from 'antd'
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

/** Name, default and sharing of a saved view. */
export function ViewDialog({ draft, saving, reader, onChange, onClose, onSave }: Props) {
  const { t } = reader
  const verb = t(draft.id === undefined ? 'kit.view.save' : 'kit.view.edit')
  const named = draft.name.trim() !== ''
  return (
    <Modal
      open
      title={verb}
      okText={verb}
      cancelText={t('kit.cancel')}
      confirmLoading={saving}
      okButtonProps={{ disabled: !named, title: named ? '' : t('kit.view.nameFirst') }}
      onCancel={onClose}
      onOk={onSave}
    >
      <div className="kit-form">
        <div className="field">
          <label htmlFor="view-name">{t('kit.view.name')}</label>
          <Input
            id="view-name"
            autoFocus
            maxLength={64}
            count={{ show: true, max: 64 }}
            value={draft.name}
            onChange={(event) => onChange({ ...draft, name: event.target.value })}
            onPressEnter={() => named && onSave()}
          />
        </div>
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
