import { Button, Drawer, Segmented, Switch } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { choices } from '../../theme/choices.ts'
import { toast } from '../feedback.ts'
import { changeSettings, resetSettings, type Settings, useSettings } from './settings.ts'
import './settingsDrawer.css'

const pickers = ['scheme', 'layout', 'density', 'width'] as const
const switches = ['tabs', 'breadcrumb', 'watermark', 'colourWeak', 'shortcuts'] as const

/** How the console looks and behaves in this browser; every change shows at once. */
export function SettingsDrawer({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  const settings = useSettings()

  const copy = async () => {
    await navigator.clipboard.writeText(JSON.stringify(settings, null, 2))
    toast.success(t('settings.copied'))
  }

  return (
    <Drawer
      open={open}
      onClose={onClose}
      title={t('shell.settings.title')}
      size={420}
      mask={false}
      footer={
        <div className="settings-foot">
          <Button onClick={resetSettings}>{t('settings.reset')}</Button>
          <Button onClick={copy}>{t('settings.copy')}</Button>
        </div>
      }
    >
      <div className="settings">
        <Section title={t('settings.accent.title')}>
          <Accents chosen={settings.accent} />
        </Section>
        {pickers.map((name) => (
          <Section key={name} title={t(`settings.${name}.title`)}>
            <Segmented
              block
              value={settings[name]}
              options={choices[name].map((value) => ({ value, label: t(`settings.${name}.${value}`) }))}
              onChange={(value) => changeSettings({ [name]: value } as Partial<Settings>)}
            />
          </Section>
        ))}
        {switches.map((name) => (
          // biome-ignore lint/a11y/noLabelWithoutControl: the switch inside is the control
          <label key={name} className="settings-switch">
            <span>
              {t(`settings.${name}.title`)}
              <small>{t(`settings.${name}.help`)}</small>
            </span>
            <Switch checked={settings[name]} onChange={(on) => changeSettings({ [name]: on })} />
          </label>
        ))}
      </div>
    </Drawer>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className="settings-heading">{title}</h2>
      {children}
    </section>
  )
}

function Accents({ chosen }: { chosen: Settings['accent'] }) {
  const { t } = useTranslation()
  return (
    <div className="swatches" role="radiogroup" aria-label={t('settings.accent.title')}>
      {choices.accent.map((accent) => (
        <label key={accent} className="swatch" data-accent={accent} title={t(`settings.accent.${accent}`)}>
          <input
            type="radio"
            name="accent"
            checked={accent === chosen}
            aria-label={t(`settings.accent.${accent}`)}
            onChange={() => changeSettings({ accent })}
          />
        </label>
      ))}
    </div>
  )
}
