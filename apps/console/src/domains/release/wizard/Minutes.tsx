import { InputNumber } from 'antd'
import { useTranslation } from 'react-i18next'

interface Props {
  label: string
  placeholder?: string
  min?: number
  max: number
  value: number | null
  onChange: (value: number | null) => void
}

/** A while in minutes. */
export function Minutes({ label, placeholder, min = 0, max, value, onChange }: Props) {
  const { t } = useTranslation()
  return (
    <InputNumber
      className="releasing-minutes"
      aria-label={label}
      {...(placeholder === undefined ? {} : { placeholder })}
      min={min}
      max={max}
      precision={0}
      suffix={t('wizard.minutes')}
      value={value}
      onChange={onChange}
    />
  )
}
