import { Input, Tabs } from 'antd'
import { useState } from 'react'
import type { Localised } from '../../../shell/localised.ts'
import { currentLanguage } from '../../../shell/texts.ts'
import type { SettingInputProps } from './settingInputProps.ts'

const languageKeys = ['en', 'zh-cn', 'zh-tw'] as const

interface Props extends SettingInputProps {
  max: number
  long?: boolean
}

/** A text in every language of the console: short ones below each other, long ones behind a tab each. */
export function LanguagesInput({ max, long = false, ...props }: Props) {
  const { id, label, value, onChange, invalid, disabled, describedBy, t } = props
  const texts = (value ?? {}) as Localised
  // The label of the whole leads to the text in sight.
  const first = long ? currentLanguage().toLowerCase() : languageKeys[0]
  const [open, setOpen] = useState<string>(first)
  const isWrong = (key: keyof Localised) => {
    const length = (texts[key] ?? '').trim().length
    return length === 0 || length > max
  }
  const common = (key: keyof Localised) => ({
    id: key === first ? id : `${id}-${key}`,
    disabled,
    'aria-label': `${label} · ${t(`config.language.${key}`)}`,
    'aria-invalid': invalid && isWrong(key),
    'aria-describedby': describedBy,
    ...(invalid && isWrong(key) ? { status: 'error' as const } : {}),
    count: { show: true, max },
    value: texts[key] ?? '',
  })
  const change = (key: keyof Localised, text: string) => onChange({ ...texts, [key]: text })
  if (!long)
    return (
      <div className="names-input">
        {languageKeys.map((key) => (
          <Input
            key={key}
            {...common(key)}
            prefix={<span className="quiet">{t(`kit.language.${key}`)}</span>}
            onChange={(event) => change(key, event.target.value)}
          />
        ))}
      </div>
    )
  return (
    <Tabs
      size="small"
      activeKey={open}
      onChange={setOpen}
      items={languageKeys.map((key) => ({
        key,
        label: invalid && isWrong(key) ? `■ ${t(`config.language.${key}`)}` : t(`config.language.${key}`),
        children: (
          <Input.TextArea
            {...common(key)}
            autoSize={{ minRows: 6, maxRows: 18 }}
            onChange={(event) => change(key, event.target.value)}
          />
        ),
      }))}
    />
  )
}
