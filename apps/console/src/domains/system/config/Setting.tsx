import { UndoOutlined } from '@ant-design/icons'
import { configDefaults } from '@campanile/contract/system'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { timeText } from '../../../kit/time.ts'
import { isDefault, isSecret, type SettingName } from './configValues.ts'
import { SettingInput } from './SettingInput.tsx'

interface Props {
  name: SettingName
  value: unknown
  onChange: (value: unknown) => void
  error: string | undefined
  disabled: boolean
  changed: boolean
  stored: boolean
  updated: { at: string; by: string | null } | undefined
}

/** One setting: what it is, its value, why it is as it is, and the way back to the default. */
export function Setting({ name, value, onChange, error, disabled, changed, stored, updated }: Props) {
  const { t } = useTranslation()
  const id = `setting-${name}`
  const label = t(`config.field.${name}`)
  // A secret has no default to go back to; it has a button of its own.
  const mayReset = !disabled && !isSecret(name) && !isDefault(name, value)
  return (
    <div className="setting" data-changed={changed} data-invalid={error !== undefined}>
      <div className="setting-words">
        <label htmlFor={id}>{label}</label>
        <p id={`${id}-help`} className="field-help">
          {t(`config.help.${name}`)}
        </p>
        <p className="setting-meta">
          {updated ? changedText(updated, t) : t('config.isDefault')}
          {mayReset && (
            <Button
              type="link"
              size="small"
              icon={<UndoOutlined />}
              aria-label={t('config.resetNamed', { name: label })}
              onClick={() => onChange(configDefaults[name])}
            >
              {t('config.reset')}
            </Button>
          )}
        </p>
      </div>
      <div className="setting-input">
        <SettingInput
          id={id}
          name={name}
          label={label}
          value={value}
          onChange={onChange}
          invalid={error !== undefined}
          disabled={disabled}
          describedBy={`${id}-help ${id}-error`}
          stored={stored}
          t={t}
        />
        {error !== undefined && (
          <p id={`${id}-error`} className="field-error" role="alert">
            {error}
          </p>
        )}
      </div>
    </div>
  )
}

const changedText = (
  { at, by }: { at: string; by: string | null },
  t: (key: string, values: Record<string, string>) => string,
) => {
  const time = timeText(new Date(at))
  return by === null ? t('config.changedUnknown', { time }) : t('config.changed', { time, name: by })
}
