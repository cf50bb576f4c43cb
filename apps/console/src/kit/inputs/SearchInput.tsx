import { CloseCircleFilled, SearchOutlined } from '@ant-design/icons'
import type { InputProps, InputRef } from 'antd'
// The plain one: the index of this folder brings the password, the code and the text area along.
import Input from 'antd/es/input/Input'
import type { Ref } from 'react'
import { useTranslation } from 'react-i18next'

type Props = Omit<InputProps, 'allowClear' | 'prefix'> & {
  label: string
  /** What the clear button says. */
  clear?: string
  ref?: Ref<InputRef>
}

/** Looks something up where it stands. Ant Design's own clear button is called "close-circle" in every language. */
export function SearchInput({ label, clear, ...rest }: Props) {
  const { t } = useTranslation()
  return (
    <Input
      aria-label={label}
      placeholder={label}
      {...rest}
      prefix={<SearchOutlined />}
      allowClear={{ clearIcon: <CloseCircleFilled aria-label={clear ?? t('kit.filter.clearSearch')} /> }}
    />
  )
}
