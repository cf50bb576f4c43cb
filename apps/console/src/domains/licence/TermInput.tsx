import { Select } from 'antd'
import { useTranslation } from 'react-i18next'

const terms = [1, 3, 6, 12, 24, 36, 60, 120]

interface Props {
  id: string
  value: number
  onChange: (months: number) => void
}

/** For how long: the terms licences are sold for. */
export function TermInput({ value, onChange, ...state }: Props) {
  const { t } = useTranslation()
  return (
    <Select
      {...state}
      aria-label={t('licence.term')}
      value={value}
      onChange={onChange}
      options={terms.map((months) => ({ value: months, label: t('licence.months', { count: months }) }))}
    />
  )
}
