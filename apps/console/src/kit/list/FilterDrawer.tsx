import { Button, Drawer } from 'antd'
import type { ReactNode } from 'react'
import type { Reader } from '../reader.ts'

interface Props {
  reader: Reader
  filters: readonly { name: string; active: boolean; editor: ReactNode }[]
  /** How many rows there are to see, where that is known. */
  total: number | undefined
  onRemove: (name: string) => void
  /** Absent: nothing is filtered. */
  onClear: (() => void) | undefined
  onClose: () => void
}

/** Every filter of a list, one under the other; the rows follow behind it while it is open. */
export function FilterDrawer({ reader, filters, total, onRemove, onClear, onClose }: Props) {
  const { t } = reader
  return (
    <Drawer
      open
      mask={false}
      size={360}
      title={t('kit.filter.more')}
      onClose={onClose}
      footer={
        <div className="drawer-buttons">
          <Button disabled={onClear === undefined} onClick={onClear}>
            {t('kit.filter.clear')}
          </Button>
          <Button type="primary" onClick={onClose}>
            {total === undefined ? t('kit.filter.show') : t('kit.filter.showCounted', { rows: reader.count(total) })}
          </Button>
        </div>
      }
    >
      <div className="filter-list">
        {filters.map(({ name, active, editor }) => (
          <section key={name} aria-label={reader.field(name)}>
            <div className="filter-label">
              {reader.field(name)}
              {active && (
                <button
                  type="button"
                  className="link-button"
                  aria-label={t('kit.filter.remove', { label: reader.field(name) })}
                  onClick={() => onRemove(name)}
                >
                  {t('kit.filter.any')}
                </button>
              )}
            </div>
            {editor}
          </section>
        ))}
      </div>
    </Drawer>
  )
}
