import { Popover } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SearchInput } from '../../../kit/inputs/SearchInput.tsx'
import { MenuIcon, menuIconNames } from '../../../shell/icons.tsx'

interface Props {
  id: string
  label: string
  value: string | null
  onChange: (name: string | null) => void
  disabled: boolean
}

/** The drawings the navigation has. Any other name would be shown as a dot. */
export function IconPicker({ id, label, value, onChange, disabled }: Props) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  const [keyword, setKeyword] = useState('')
  const choose = (name: string | null) => {
    onChange(name)
    setOpen(false)
  }
  const shown = menuIconNames.filter((name) => name.toLowerCase().includes(keyword.trim().toLowerCase()))
  return (
    <Popover
      open={open}
      onOpenChange={(next) => !disabled && setOpen(next)}
      trigger="click"
      placement="bottomLeft"
      arrow={false}
      content={
        <div className="icon-picker">
          <SearchInput autoFocus label={t('menu.icon.search')} value={keyword} onChange={setKeyword} />
          <div className="icon-grid" role="listbox" aria-label={label}>
            {shown.map((name) => (
              <button
                key={name}
                type="button"
                role="option"
                aria-selected={name === value}
                aria-label={name}
                title={name}
                onClick={() => choose(name)}
              >
                <MenuIcon name={name} />
              </button>
            ))}
          </div>
          {shown.length === 0 && <p className="grant-empty">{t('kit.input.noHit')}</p>}
          {value !== null && (
            <button type="button" className="link-button" onClick={() => choose(null)}>
              {t('menu.icon.none')}
            </button>
          )}
        </div>
      }
    >
      <button
        id={id}
        type="button"
        className="icon-choice"
        disabled={disabled}
        aria-label={label}
        aria-haspopup="listbox"
      >
        {value === null ? (
          <span className="quiet">{t('menu.icon.choose')}</span>
        ) : (
          <>
            <MenuIcon name={value} /> <span className="mono">{value}</span>
          </>
        )}
      </button>
    </Popover>
  )
}
