import { CloseCircleFilled, SearchOutlined } from '@ant-design/icons'
import { type ComponentProps, type KeyboardEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import './searchInput.css'

type Props = Omit<ComponentProps<'input'>, 'onChange' | 'type' | 'ref'> & {
  label: string
  /** What the clear button says. */
  clear?: string
  onChange: (text: string) => void
  onPressEnter?: (event: KeyboardEvent) => void
}

/** Looks something up where it stands. The browser's own field: every list has one, and Ant Design's would come with all its kinds. */
export function SearchInput({ label, clear, className = '', onChange, onPressEnter, ...rest }: Props) {
  const { t } = useTranslation()
  const input = useRef<HTMLInputElement>(null)
  const empty = () => {
    if (input.current && rest.value === undefined) input.current.value = ''
    onChange('')
    input.current?.focus()
  }
  return (
    <span className={`search-input ${className}`}>
      <SearchOutlined />
      <input
        aria-label={label}
        placeholder={label}
        {...rest}
        ref={input}
        type="text"
        onChange={(event) => onChange(event.target.value)}
        // Enter that ends the writing of a Chinese word is not meant for the search.
        onKeyDown={(event) => event.key === 'Enter' && !event.nativeEvent.isComposing && onPressEnter?.(event)}
      />
      <button type="button" tabIndex={-1} aria-label={clear ?? t('kit.filter.clearSearch')} onClick={empty}>
        <CloseCircleFilled />
      </button>
    </span>
  )
}
