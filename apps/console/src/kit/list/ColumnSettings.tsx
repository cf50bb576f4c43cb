import { ArrowDownOutlined, ArrowUpOutlined, HolderOutlined, PushpinFilled, PushpinOutlined } from '@ant-design/icons'
import { Button, Checkbox, Segmented } from 'antd'
import { type ReactNode, useState } from 'react'
import type { Reader } from '../reader.ts'
import { densities, moveColumn, toggleColumn } from './columns.ts'
import type { Columns } from './useColumns.ts'

/** Show, hide, order by button or drag, pin, density; one click puts everything back. */
export function ColumnSettings({ columns, identity, reader }: { columns: Columns; identity: string; reader: Reader }) {
  const { settings, change, reset } = columns
  const { t } = reader
  const [dragged, setDragged] = useState<string>()
  const move = (name: string, by: number) =>
    change(moveColumn(settings, name, settings.order.indexOf(name) + by, identity))
  return (
    <div className="column-settings">
      <Segmented
        block
        size="small"
        aria-label={t('kit.columns.density')}
        value={settings.density ?? 'inherit'}
        options={[
          { value: 'inherit', label: t('kit.columns.densityInherit') },
          ...densities.map((value) => ({ value, label: t(`kit.columns.densityOf.${value}`) })),
        ]}
        onChange={(value) => {
          const { density: _, ...rest } = settings
          const density = densities.find((each) => each === value)
          change(density === undefined ? rest : { ...rest, density })
        }}
      />
      <ul>
        {settings.order.map((name, index) => {
          const label = reader.field(name)
          const fixed = name === identity
          const pinned = fixed || settings.pinned.includes(name)
          return (
            <li
              key={name}
              draggable={!fixed}
              data-dragged={dragged === name}
              onDragStart={() => setDragged(name)}
              onDragEnd={() => setDragged(undefined)}
              onDragOver={(event) => event.preventDefault()}
              onDrop={() => dragged !== undefined && change(moveColumn(settings, dragged, index, identity))}
            >
              <HolderOutlined className="holder" style={{ visibility: fixed ? 'hidden' : 'visible' }} />
              <Checkbox
                checked={!settings.hidden.includes(name)}
                disabled={fixed}
                onChange={() => change(toggleColumn(settings, 'hidden', name))}
              >
                {label}
              </Checkbox>
              <span className="spread" />
              {!fixed && (
                <>
                  <IconButton
                    label={t('kit.columns.up', { label })}
                    onClick={() => move(name, -1)}
                    icon={<ArrowUpOutlined />}
                  />
                  <IconButton
                    label={t('kit.columns.down', { label })}
                    onClick={() => move(name, 1)}
                    icon={<ArrowDownOutlined />}
                  />
                  <IconButton
                    label={t(pinned ? 'kit.columns.unpin' : 'kit.columns.pin', { label })}
                    onClick={() => change(toggleColumn(settings, 'pinned', name))}
                    icon={pinned ? <PushpinFilled /> : <PushpinOutlined />}
                  />
                </>
              )}
            </li>
          )
        })}
      </ul>
      <Button size="small" onClick={reset}>
        {t('kit.columns.reset')}
      </Button>
    </div>
  )
}

function IconButton({ label, icon, onClick }: { label: string; icon: ReactNode; onClick: () => void }) {
  return (
    <button type="button" className="quiet-button" aria-label={label} title={label} onClick={onClick}>
      {icon}
    </button>
  )
}
