import { Modal } from 'antd'
import { useTranslation } from 'react-i18next'
import { useSettings } from '../settings/settings.ts'
import { ownKeys, shortcuts } from './keys.ts'

export function ShortcutHelp({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  const on = useSettings((settings) => settings.shortcuts)
  const rows = [['palette', 'Ctrl K / ⌘ K'], ...Object.entries({ ...shortcuts, ...ownKeys }), ['escape', 'Esc']]
  return (
    <Modal open={open} title={t('shell.shortcuts.title')} footer={null} width={420} onCancel={onClose}>
      {!on && <p className="shortcuts-off">{t('shell.shortcuts.off')}</p>}
      <dl className="shortcuts">
        {rows.map(([name, keys]) => (
          <div key={name}>
            <dt>{t(`shell.shortcuts.${name}`)}</dt>
            <dd>
              <kbd>{keys}</kbd>
            </dd>
          </div>
        ))}
      </dl>
    </Modal>
  )
}
