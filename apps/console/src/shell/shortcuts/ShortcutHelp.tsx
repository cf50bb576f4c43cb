import { Modal } from 'antd'
import { useTranslation } from 'react-i18next'
import { useNavigationMenu } from '../navigation/navigation.ts'
import { titleOfNode } from '../navigation/titles.ts'
import { useSettings } from '../settings/settings.ts'
import { currentLanguage } from '../texts.ts'
import { areaShortcuts, keysOf, ownKeys, placeShortcuts } from './keys.ts'

export function ShortcutHelp({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  const on = useSettings((settings) => settings.shortcuts)
  const areas = useNavigationMenu((navigation) => navigation.areas)
  // Only to where the person's menu leads.
  const toAreas = areaShortcuts.flatMap((name) => {
    const area = areas.find(({ key }) => key === name)
    const title = area && titleOfNode(area.node, currentLanguage())
    return title === undefined ? [] : [{ text: t('shortcuts.toArea', { title }), keys: keysOf(name) }]
  })
  const rows = [
    { text: t('shortcuts.palette'), keys: 'Ctrl K / ⌘ K' },
    ...placeShortcuts.map((name) => ({ text: t(`shortcuts.${name}`), keys: keysOf(name) })),
    ...Object.entries(ownKeys).map(([name, keys]) => ({ text: t(`shortcuts.${name}`), keys })),
    ...toAreas,
    { text: t('shortcuts.escape'), keys: 'Esc' },
  ]
  return (
    <Modal open={open} title={t('shell.shortcuts.title')} footer={null} width={420} onCancel={onClose}>
      {!on && <p className="shortcuts-off">{t('shortcuts.off')}</p>}
      <dl className="shortcuts">
        {rows.map(({ text, keys }) => (
          <div key={keys}>
            <dt>{text}</dt>
            <dd>
              <kbd>{keys}</kbd>
            </dd>
          </div>
        ))}
      </dl>
    </Modal>
  )
}
